// The mark by which LLVM's loop is known to be a candidate: how it is proved and how it goes.

#include "candidate_mark.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"

using namespace llvm;
using loom::GrantedHint;
using loom::Refusal;
using loom::Unproved;

static constexpr StringLiteral alignmentProperty = "llvm.loop.align";
static constexpr StringLiteral hintProperty = "llvm.loop.loom.candidate";

namespace {

/// The value of a loop property that is an alignment, or 0.
uint64_t alignmentIn(const Metadata *property) {
  const auto *node = dyn_cast_or_null<MDNode>(property);
  if (!node || node->getNumOperands() != 2)
    return 0;
  const auto *name = dyn_cast<MDString>(node->getOperand(0));
  const auto *value = mdconst::dyn_extract<ConstantInt>(node->getOperand(1));
  return name && value && name->getString() == alignmentProperty ? value->getZExtValue() : 0;
}

/// The marker that the end of a block carries for its loop, or 0.
uint64_t markerOf(const Instruction &terminator) {
  const MDNode *loop = terminator.getMetadata(LLVMContext::MD_loop);
  if (!loop)
    return 0;
  for (const MDOperand &property : drop_begin(loop->operands()))
    if (uint64_t marker = alignmentIn(property) >> loom::alignmentBits)
      return marker;
  return 0;
}

} // namespace

loom::LoopMarks::LoopMarks(Module &module) {
  for (Function &function : module)
    for (BasicBlock &block : function)
      if (Instruction *terminator = block.getTerminator())
        if (uint64_t marker = markerOf(*terminator))
          branches[marker].push_back(terminator);
}

std::optional<Unproved> loom::LoopMarks::prove(const GrantedHint &hint, Function &function,
                                               FunctionAnalysisManager &analyses, Instruction *&latch) {
  SmallVector<Instruction *, 2> marked = branches.lookup(hint.marker);
  branches.erase(hint.marker);
  if (marked.empty())
    return Unproved{Refusal::Construct, "no loop is generated for this candidate",
                    "it is never reached, or never goes back to its beginning; remove the pragma, or what keeps the "
                    "loop from being one"};
  if (any_of(marked, [&](const Instruction *branch) { return branch->getFunction() != &function; }))
    return Unproved{Refusal::Construct, "this loop became part of another function",
                    "remove the pragma, or what moves the loop into a function of its own"};
  if (marked.size() > 1)
    return Unproved{Refusal::Projection, "several places of this loop go back to its beginning",
                    "let all iterations end in one place: use 'if' instead of 'continue', or a 'for' loop with an "
                    "increment"};
  latch = marked.front();
  const auto &loops = analyses.getResult<LoopAnalysis>(function);
  const Loop *bound = loops.getLoopFor(latch->getParent());
  if (!bound || !bound->isLoopLatch(latch->getParent()))
    return Unproved{Refusal::Construct, "this loop can be entered elsewhere than at its beginning",
                    "remove the jump into the loop"};
  if (bound->getLoopLatch() != latch->getParent())
    return Unproved{Refusal::Projection, "several places of this loop go back to its beginning",
                    "let all iterations end in one place"};
  return std::nullopt;
}

void loom::replaceMark(Instruction &latch, StringRef hint) {
  LLVMContext &context = latch.getContext();
  SmallVector<Metadata *, 8> operands{nullptr};
  auto property = [&](StringRef name, Metadata *value) {
    operands.push_back(MDNode::get(context, {MDString::get(context, name), value}));
  };
  for (const MDOperand &operand : drop_begin(latch.getMetadata(LLVMContext::MD_loop)->operands())) {
    uint64_t alignment = alignmentIn(operand);
    if (!(alignment >> loom::alignmentBits)) {
      operands.push_back(operand);
      continue;
    }
    alignment &= (1u << loom::alignmentBits) - 1;
    if (alignment)
      property(alignmentProperty,
               ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), alignment)));
  }
  property(hintProperty, MDString::get(context, hint));
  MDNode *node = MDNode::getDistinct(context, operands);
  node->replaceOperandWith(0, node);
  latch.setMetadata(LLVMContext::MD_loop, node);
}
