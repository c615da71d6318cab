// Control flow graphs of llvm.func into scf, one function at a time.

#include "raise_lift.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/CFGToSCF.h"

using namespace mlir;
using namespace loom::raising;

namespace {

/// How upstream's transformation spells structured control flow over the LLVM dialect.
class Structured : public CFGToSCFInterface {
public:
  Structured(LLVM::LLVMFuncOp function, const Headers &headers) : function(function), headers(headers) {}

  FailureOr<Operation *> createStructuredBranchRegionOp(OpBuilder &builder, Operation *op, TypeRange results,
                                                        MutableArrayRef<Region> regions) override {
    if (auto branch = dyn_cast<LLVM::CondBrOp>(op)) {
      auto structured = scf::IfOp::create(builder, op->getLoc(), results, branch.getCondition());
      structured.getThenRegion().takeBody(regions[0]);
      structured.getElseRegion().takeBody(regions[1]);
      keepWeights(structured, branch.getBranchWeightsAttr());
      return structured.getOperation();
    }
    if (auto branch = dyn_cast<LLVM::SwitchOp>(op)) {
      SmallVector<int64_t> cases;
      if (DenseIntElementsAttr values = branch.getCaseValuesAttr())
        for (const APInt &value : values.getValues<APInt>())
          cases.push_back(static_cast<int64_t>(value.getZExtValue()));
      Value index =
          arith::IndexCastUIOp::create(builder, op->getLoc(), builder.getIndexType(), branch.getValue());
      auto structured = scf::IndexSwitchOp::create(builder, op->getLoc(), results, index, cases, cases.size());
      structured.getDefaultRegion().takeBody(regions[0]);
      for (auto [target, region] : llvm::zip_equal(structured.getCaseRegions(), regions.drop_front()))
        target.takeBody(region);
      keepWeights(structured, branch.getBranchWeightsAttr());
      return structured.getOperation();
    }
    return failure();
  }

  LogicalResult createStructuredBranchRegionTerminatorOp(Location location, OpBuilder &builder, Operation *,
                                                         Operation *, ValueRange results) override {
    scf::YieldOp::create(builder, location, results);
    return success();
  }

  FailureOr<Operation *> createStructuredDoWhileLoopOp(OpBuilder &builder, Operation *replaced, ValueRange inits,
                                                       Value condition, ValueRange next, Region &&body) override {
    Location location = replaced->getLoc();
    auto loop = scf::WhileOp::create(builder, location, inits.getTypes(), inits);
    takeLatchAttributes(loop, body.back(), condition);
    proveByHeader(loop, body.front());
    loop.getBefore().takeBody(body);
    builder.setInsertionPointToEnd(&loop.getBefore().back());
    Value repeat = arith::TruncIOp::create(builder, location, builder.getI1Type(), condition);
    scf::ConditionOp::create(builder, location, repeat, next);
    SmallVector<Location> locations(inits.size(), location);
    Block *after = builder.createBlock(&loop.getAfter(), {}, inits.getTypes(), locations);
    scf::YieldOp::create(builder, location, after->getArguments());
    return loop.getOperation();
  }

  Value getCFGSwitchValue(Location location, OpBuilder &builder, unsigned value) override {
    Value &known = flags[value];
    if (!known) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(&function.getBody().front());
      known = arith::ConstantOp::create(builder, function.getLoc(), builder.getI32IntegerAttr(value));
    }
    return known;
  }

  void createCFGSwitchOp(Location location, OpBuilder &builder, Value value, ArrayRef<unsigned> cases,
                         BlockRange destinations, ArrayRef<ValueRange> arguments, Block *fallback,
                         ValueRange fallbackArguments) override {
    if (cases.empty()) {
      LLVM::BrOp::create(builder, location, fallbackArguments, fallback);
    } else if (cases.size() == 1) {
      Value test = arith::CmpIOp::create(builder, location, arith::CmpIPredicate::eq, value,
                                         getCFGSwitchValue(location, builder, cases[0]));
      LLVM::CondBrOp::create(builder, location, test, destinations[0], arguments[0], fallback,
                             fallbackArguments);
    } else {
      SmallVector<APInt> values;
      for (unsigned it : cases)
        values.emplace_back(32, it);
      LLVM::SwitchOp::create(builder, location, value, fallback, fallbackArguments, values, destinations,
                             arguments);
    }
  }

  Value getUndefValue(Location location, OpBuilder &builder, Type type) override {
    Value &known = poisons[type];
    if (!known) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(&function.getBody().front());
      known = LLVM::PoisonOp::create(builder, function.getLoc(), type);
    }
    return known;
  }

  FailureOr<Operation *> createUnreachableTerminator(Location location, OpBuilder &builder, Region &) override {
    return LLVM::UnreachableOp::create(builder, location).getOperation();
  }

private:
  LLVM::LLVMFuncOp function;
  const Headers &headers;
  DenseMap<unsigned, Value> flags;
  DenseMap<Type, Value> poisons;

  static void keepWeights(Operation *op, DenseI32ArrayAttr weights) {
    if (weights)
      op->setDiscardableAttr(StringAttr::get(op->getContext(), weightsAttribute), weights);
  }

  /// The repeating edges into the last block of a loop come from what were its latches. An edge that leaves the
  /// loop passes another constant, and may come from the latch of an inner loop.
  static void takeLatchAttributes(Operation *loop, Block &last, Value condition) {
    auto repeat = dyn_cast<BlockArgument>(condition);
    bool isMultiplexed = repeat && repeat.getOwner() == &last;
    auto take = [&](Operation *latch) {
      for (StringRef name : {StringRef(latchMark), StringRef(countedMark)})
        if (Attribute mark = latch->removeDiscardableAttr(StringAttr::get(latch->getContext(), name)))
          // Two marks on one loop prove nothing.
          if (!loop->hasAttr(name) || !loop->removeDiscardableAttr(StringAttr::get(loop->getContext(), name)))
            loop->setDiscardableAttr(StringAttr::get(loop->getContext(), name), mark);
      if (Attribute annotation = latch->removeAttr("loop_annotation"))
        loop->setDiscardableAttr(StringAttr::get(loop->getContext(), annotationAttribute), annotation);
    };
    if (!isMultiplexed)
      return;
    for (auto it = last.pred_begin(), end = last.pred_end(); it != end; ++it) {
      auto branch = cast<BranchOpInterface>((*it)->getTerminator());
      Value passed = branch.getSuccessorOperands(it.getSuccessorIndex())[repeat.getArgNumber()];
      auto constant = passed ? passed.getDefiningOp<arith::ConstantOp>() : arith::ConstantOp();
      auto value = constant ? dyn_cast<IntegerAttr>(constant.getValue()) : IntegerAttr();
      if (value && value.getValue().isOne())
        take(branch);
    }
  }
  /// The second carrier of a hint is the header, whose block is moved and never copied. A mark on which both do not
  /// agree is dropped.
  void proveByHeader(Operation *loop, Block &header) {
    StringAttr name = StringAttr::get(loop->getContext(), latchMark);
    if (Attribute mark = loop->getDiscardableAttr(name))
      if (headers.lookup(&header) != mark)
        loop->removeDiscardableAttr(name);
  }
};

/// A function that returns and also stops elsewhere would keep one branch a region for its two exits. Nothing
/// reaches an llvm.unreachable, so returning poison there refines it.
void leaveOneExitKind(LLVM::LLVMFuncOp function) {
  bool returns = llvm::any_of(function.getBody(), [](Block &block) { return isa<LLVM::ReturnOp>(block.back()); });
  if (!returns)
    return;
  Type result = function.getFunctionType().getReturnType();
  for (Block &block : function.getBody()) {
    auto stop = dyn_cast<LLVM::UnreachableOp>(block.back());
    if (!stop)
      continue;
    OpBuilder builder(stop);
    if (isa<LLVM::LLVMVoidType>(result))
      LLVM::ReturnOp::create(builder, stop.getLoc(), ValueRange());
    else
      LLVM::ReturnOp::create(builder, stop.getLoc(),
                             ValueRange(LLVM::PoisonOp::create(builder, stop.getLoc(), result)));
    stop.erase();
  }
}

const char *findObstacle(LLVM::LLVMFuncOp function) {
  for (Block &block : function.getBody()) {
    if (!isa<LLVM::BrOp, LLVM::CondBrOp, LLVM::SwitchOp, LLVM::ReturnOp, LLVM::UnreachableOp>(block.back()))
      return "terminator";
    if (auto branch = dyn_cast<LLVM::SwitchOp>(block.back()))
      if (branch.getValue().getType().getIntOrFloatBitWidth() > 64)
        return "wide_switch";
    for (Operation &op : block)
      if (isa<LLVM::BlockTagOp>(op))
        return "block_address";
  }
  return nullptr;
}

} // namespace

void loom::raising::eraseUnused(LLVM::LLVMFuncOp function) {
  SmallVector<Operation *> ours;
  function.walk([&](Operation *op) {
    if (isa<arith::CmpIOp, arith::ConstantOp, arith::IndexCastUIOp, LLVM::PoisonOp>(op))
      ours.push_back(op);
  });
  for (Operation *op : llvm::reverse(ours))
    if (op->use_empty())
      op->erase();
}

namespace {

bool isStructured(LLVM::LLVMFuncOp function) {
  if (!function.getBody().hasOneBlock())
    return false;
  WalkResult walked = function.walk([](Operation *op) {
    return llvm::all_of(op->getRegions(), [](Region &it) { return it.hasOneBlock(); }) ? WalkResult::advance()
                                                                                      : WalkResult::interrupt();
  });
  return !walked.wasInterrupted();
}

void count(LLVM::LLVMFuncOp function, FunctionOutcome &outcome) {
  function.walk([&](Operation *op) {
    outcome.loops += isa<scf::WhileOp>(op);
    outcome.ifs += isa<scf::IfOp>(op);
    outcome.switches += isa<scf::IndexSwitchOp>(op);
  });
}

} // namespace

void loom::raising::liftFunction(LLVM::LLVMFuncOp function, const Headers &headers, FunctionOutcome &outcome) {
  if (function.getBody().hasOneBlock()) {
    outcome.state = FunctionOutcome::Straight;
    return;
  }
  outcome.state = FunctionOutcome::Unstructured;
  if (!outcome.reason.empty())
    return;
  if (const char *obstacle = findObstacle(function)) {
    outcome.reason = obstacle;
    return;
  }
  // A lift that fails leaves the body broken, so there is a spare one.
  Region spare;
  IRMapping mapping;
  function.getBody().cloneInto(&spare, mapping);
  leaveOneExitKind(function);
  Structured interface(function, headers);
  DominanceInfo dominance(function);
  bool lifted = succeeded(transformCFGToSCF(function.getBody(), interface, dominance));
  if (lifted) {
    eraseUnused(function);
    lifted = isStructured(function) && succeeded(verify(function));
  }
  if (!lifted) {
    function.getBody().takeBody(spare);
    outcome.reason = "lift_failed";
    return;
  }
  outcome.state = FunctionOutcome::Lifted;
  count(function, outcome);
}
