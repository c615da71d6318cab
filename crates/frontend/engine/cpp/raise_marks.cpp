// Loops that have to be known again on the other side of the import.

#include "raise_marks.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace mlir;
using namespace loom::raising;

FunctionMarks loom::raising::markLoops(const llvm::Function &function, const HintedLatches &hinted,
                                       const CountedLatches &counted) {
  FunctionMarks marks;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> ordinals;
  for (const llvm::BasicBlock &block : function) {
    unsigned ordinal = ordinals.size();
    ordinals[&block] = ordinal;
  }
  for (const llvm::BasicBlock &block : function) {
    auto hint = hinted.find(&block);
    unsigned rounds = counted.lookup(&block);
    if (hint == hinted.end() && !rounds)
      continue;
    MarkedLoop loop;
    loop.latch = ordinals.lookup(&block);
    loop.counted = rounds;
    if (hint != hinted.end()) {
      loop.hint = hint->second.row;
      loop.header = ordinals.lookup(hint->second.header);
    }
    marks.loops.push_back(loop);
  }
  if (marks.loops.empty())
    return marks;
  for (const llvm::BasicBlock &block : function) {
    std::vector<unsigned> &edges = marks.edges.emplace_back();
    for (const llvm::BasicBlock *successor : llvm::successors(&block))
      edges.push_back(ordinals.lookup(successor));
  }
  return marks;
}

/// Whether the blocks of `function`, in order, have the remembered successors, in order.
static bool hasSameEdges(LLVM::LLVMFuncOp function, const FunctionMarks &marks) {
  llvm::DenseMap<Block *, unsigned> ordinals;
  for (Block &block : function.getBody()) {
    unsigned ordinal = ordinals.size();
    ordinals[&block] = ordinal;
  }
  if (ordinals.size() != marks.edges.size())
    return false;
  for (auto [block, edges] : llvm::zip_equal(function.getBody(), marks.edges)) {
    if (block.getNumSuccessors() != edges.size())
      return false;
    for (auto [at, edge] : llvm::enumerate(edges))
      if (ordinals.lookup(block.getSuccessor(at)) != edge)
        return false;
  }
  return true;
}

bool loom::raising::applyMarks(LLVM::LLVMFuncOp function, const FunctionMarks &marks, Headers &headers) {
  if (!hasSameEdges(function, marks))
    return false;
  SmallVector<Block *> blocks = llvm::map_to_vector(function.getBody(), [](Block &block) { return &block; });
  Builder builder(function.getContext());
  for (const MarkedLoop &loop : marks.loops) {
    Operation *latch = blocks[loop.latch]->getTerminator();
    if (loop.hint >= 0) {
      Attribute mark = builder.getI64IntegerAttr(loop.hint);
      latch->setDiscardableAttr(builder.getStringAttr(latchMark), mark);
      headers[blocks[loop.header]] = mark;
    }
    if (loop.counted)
      latch->setDiscardableAttr(builder.getStringAttr(countedMark), builder.getI64IntegerAttr(loop.counted));
  }
  return true;
}

void loom::raising::proveHints(ModuleOp module, Outcome &outcome, bool keep) {
  Builder builder(module.getContext());
  StringAttr latch = builder.getStringAttr(latchMark), counted = builder.getStringAttr(countedMark);
  std::vector<SmallVector<Operation *, 1>> recovered(outcome.hints.size());
  module.walk([&](Operation *op) {
    auto mark = dyn_cast_or_null<IntegerAttr>(op->removeDiscardableAttr(latch));
    if (mark && isa<scf::ForOp, scf::WhileOp>(op))
      recovered[mark.getInt()].push_back(op);
    op->removeDiscardableAttr(counted);
  });
  for (auto [row, loops] : llvm::zip_equal(outcome.hints, recovered)) {
    if (row.state != "found")
      continue;
    const FunctionOutcome &function = outcome.functions[row.function];
    if (!row.loop) {
      auto op = module.lookupSymbol<LLVM::LLVMFuncOp>(row.function);
      if (op && keep)
        op->setDiscardableAttr(builder.getStringAttr(functionHint), builder.getUnitAttr());
    } else if (loops.size() == 1) {
      if (keep)
        loops.front()->setDiscardableAttr(builder.getStringAttr(loopHint), builder.getUnitAttr());
    } else if (!function.reason.empty()) {
      refuteHint(row, "unstructured", "its function is not lifted: " + function.reason);
    } else if (loops.empty()) {
      refuteHint(row, "unproved", "header and latch do not lead to one recovered loop");
    } else {
      refuteHint(row, "cloned", "several recovered loops bear it");
    }
  }
}
