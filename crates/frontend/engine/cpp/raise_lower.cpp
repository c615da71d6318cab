// Structured control flow back into the LLVM dialect.
//
// Upstream's lowering narrows every index_switch to 32 bits, which merges cases that differ above; and it is slow.
// Here each operation is split out of its block, outermost first.

#include "raise_lower.h"
#include "raise.h"
#include "raise_scalars.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace loom::raising;

namespace {

DenseI32ArrayAttr weightsOf(Operation *op) { return op->getAttrOfType<DenseI32ArrayAttr>(weightsAttribute); }

LLVM::LoopAnnotationAttr annotationOf(Operation *op) {
  return op->getAttrOfType<LLVM::LoopAnnotationAttr>(annotationAttribute);
}

/// Cuts `op` out: what follows it goes into a block of its own whose arguments are the results.
Block *splitBehind(Operation *op) {
  Block *rest = op->getBlock()->splitBlock(op);
  SmallVector<Location> locations(op->getNumResults(), op->getLoc());
  rest->addArguments(op->getResultTypes(), locations);
  for (auto [result, argument] : llvm::zip_equal(op->getResults(), rest->getArguments()))
    result.replaceAllUsesWith(argument);
  return rest;
}

/// Moves the blocks of `region` in front of `rest` and ends each scf.yield in a branch there. Returns the first.
Block *inlineRegion(Region &region, Block *rest) {
  Block *first = &region.front();
  auto yield = cast<scf::YieldOp>(region.back().back());
  OpBuilder builder(yield);
  LLVM::BrOp::create(builder, yield.getLoc(), yield.getOperands(), rest);
  yield.erase();
  rest->getParent()->getBlocks().splice(rest->getIterator(), region.getBlocks());
  return first;
}

void lowerIf(scf::IfOp op) {
  Block *block = op->getBlock(), *rest = splitBehind(op);
  Block *onTrue = inlineRegion(op.getThenRegion(), rest);
  Block *onFalse = op.getElseRegion().empty() ? rest : inlineRegion(op.getElseRegion(), rest);
  OpBuilder builder = OpBuilder::atBlockEnd(block);
  LLVM::CondBrOp::create(builder, op.getLoc(), op.getCondition(), ValueRange(), ValueRange(), weightsOf(op),
                         LLVM::LoopAnnotationAttr(), onTrue, onFalse);
  op.erase();
}

LogicalResult lowerSwitch(scf::IndexSwitchOp op) {
  auto index = op.getArg().getDefiningOp<arith::IndexCastUIOp>();
  if (!index)
    return op.emitError("the selector is no zero-extended integer");
  Value selector = index.getIn();
  unsigned width = selector.getType().getIntOrFloatBitWidth();
  Block *block = op->getBlock(), *rest = splitBehind(op);
  Block *fallback = inlineRegion(op.getDefaultRegion(), rest);
  SmallVector<APInt> values;
  SmallVector<Block *> targets;
  for (auto [value, region] : llvm::zip_equal(op.getCases(), op.getCaseRegions())) {
    values.emplace_back(width, static_cast<uint64_t>(value));
    targets.push_back(inlineRegion(region, rest));
  }
  SmallVector<ValueRange> arguments(targets.size());
  OpBuilder builder = OpBuilder::atBlockEnd(block);
  DenseI32ArrayAttr weights = weightsOf(op);
  LLVM::SwitchOp::create(builder, op.getLoc(), selector, fallback, ValueRange(), values, targets, arguments,
                         weights ? weights.asArrayRef() : ArrayRef<int32_t>());
  op.erase();
  if (index->use_empty())
    index.erase();
  return success();
}

void lowerWhile(scf::WhileOp op) {
  Block *block = op->getBlock(), *rest = splitBehind(op);
  Block *before = &op.getBefore().front(), *after = &op.getAfter().front();
  scf::ConditionOp condition = op.getConditionOp();
  auto yield = cast<scf::YieldOp>(op.getAfter().back().back());
  OpBuilder builder(condition);
  bool forwards = op.getAfter().hasOneBlock() && llvm::hasSingleElement(*after) &&
                  llvm::equal(yield.getOperands(), after->getArguments());
  Block *again = forwards ? before : after;
  LLVM::CondBrOp::create(builder, condition.getLoc(), condition.getCondition(), condition.getArgs(),
                         condition.getArgs(), DenseI32ArrayAttr(),
                         forwards ? annotationOf(op) : LLVM::LoopAnnotationAttr(), again, rest);
  condition.erase();
  Region *parent = rest->getParent();
  parent->getBlocks().splice(rest->getIterator(), op.getBefore().getBlocks());
  if (!forwards) {
    builder.setInsertionPoint(yield);
    LLVM::BrOp::create(builder, yield.getLoc(), yield.getOperands(), annotationOf(op), before);
    yield.erase();
    parent->getBlocks().splice(rest->getIterator(), op.getAfter().getBlocks());
  }
  builder.setInsertionPointToEnd(block);
  LLVM::BrOp::create(builder, op.getLoc(), op.getInits(), before);
  op.erase();
}

LogicalResult lowerFor(scf::ForOp op) {
  if (!isa<IntegerType>(op.getInductionVar().getType()))
    return op.emitError("the counter is no integer of fixed width");
  Block *block = op->getBlock(), *rest = splitBehind(op), *body = op.getBody();
  Location location = op.getLoc();
  auto yield = cast<scf::YieldOp>(body->getTerminator());
  OpBuilder builder(yield);
  Block *header = builder.createBlock(rest);
  for (BlockArgument argument : body->getArguments())
    header->addArgument(argument.getType(), argument.getLoc());
  builder.setInsertionPointToStart(header);
  LLVM::ICmpPredicate order = op.getUnsignedCmp() ? LLVM::ICmpPredicate::ult : LLVM::ICmpPredicate::slt;
  Value goesOn = LLVM::ICmpOp::create(builder, location, order, header->getArgument(0), op.getUpperBound());
  builder.setInsertionPoint(yield);
  Value next = LLVM::AddOp::create(builder, location, body->getArgument(0), op.getStep());
  SmallVector<Value> nexts{next};
  llvm::append_range(nexts, yield.getOperands());
  LLVM::BrOp::create(builder, yield.getLoc(), nexts, annotationOf(op), header);
  yield.erase();
  for (auto [argument, value] : llvm::zip_equal(body->getArguments(), header->getArguments()))
    argument.replaceAllUsesWith(value);
  body->eraseArguments(0, body->getNumArguments());
  rest->getParent()->getBlocks().splice(rest->getIterator(), op.getRegion().getBlocks());
  builder.setInsertionPointToEnd(header);
  LLVM::CondBrOp::create(builder, location, goesOn, ValueRange(), header->getArguments().drop_front(), weightsOf(op),
                         LLVM::LoopAnnotationAttr(), body, rest);
  builder.setInsertionPointToEnd(block);
  SmallVector<Value> inits{op.getLowerBound()};
  llvm::append_range(inits, op.getInitArgs());
  LLVM::BrOp::create(builder, location, inits, header);
  op.erase();
  return success();
}

} // namespace

LogicalResult loom::raising::lowerFunction(LLVM::LLVMFuncOp function) {
  SmallVector<Operation *> structured;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<scf::IfOp, scf::IndexSwitchOp, scf::WhileOp, scf::ForOp>(op))
      structured.push_back(op);
  });
  for (Operation *op : structured) {
    if (auto it = dyn_cast<scf::IfOp>(op))
      lowerIf(it);
    else if (auto it = dyn_cast<scf::WhileOp>(op))
      lowerWhile(it);
    else if (failed(isa<scf::ForOp>(op) ? lowerFor(cast<scf::ForOp>(op)) : lowerSwitch(cast<scf::IndexSwitchOp>(op))))
      return failure();
  }
  return lowerScalars(function);
}
