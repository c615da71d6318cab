// Loops that count become scf.for.
//
// A lifted loop tests at its end: it goes on while `next != bound`, where `next` is a header value plus a constant.
// scf.for tests at its beginning and never misses its bound, so the change is right only where the bound is hit
// exactly and not before the first round. A flag against wrapping is not enough: a round may end the program, or
// never end, before the wrap that would have been undefined. So either scalar evolution has proved it (countedMark),
// or both ends are constants, or every round returns.

#include "raise_for.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace loom::raising;

namespace {

/// A loop in the shape that a lift gives to one with a single exit at its latch.
struct Counted {
  scf::WhileOp loop;
  scf::IfOp exit;
  arith::TruncIOp repeat;
  LLVM::ICmpOp test;
  LLVM::AddOp next;
  /// The header value that counts.
  unsigned counter = 0;
  Value bound;
  APInt step;
  bool goesOnIfTrue = false, isUnsigned = false;
  /// What each header value becomes in the next round, and what each result is.
  SmallVector<Value> nextValues, exitValues;
};

bool isOutside(Value value, scf::WhileOp loop) {
  return !loop.getBefore().isAncestor(value.getParentRegion());
}

std::optional<APInt> constantInteger(Value value) {
  if (auto constant = value.getDefiningOp<LLVM::ConstantOp>())
    if (auto attribute = dyn_cast<IntegerAttr>(constant.getValue()))
      return attribute.getValue();
  if (auto constant = value.getDefiningOp<arith::ConstantOp>())
    if (auto attribute = dyn_cast<IntegerAttr>(constant.getValue()))
      return attribute.getValue();
  return std::nullopt;
}

bool forwardsOnly(Region &after) {
  return after.hasOneBlock() && llvm::hasSingleElement(after.front()) &&
         llvm::equal(after.front().back().getOperands(), after.front().getArguments());
}

bool isOnlyYield(Region &region) { return region.hasOneBlock() && llvm::hasSingleElement(region.front()); }

/// The last block's `if`, which alone decides whether the loop goes on.
bool matchExit(Counted &found) {
  scf::WhileOp loop = found.loop;
  if (!loop.getBefore().hasOneBlock() || !forwardsOnly(loop.getAfter()))
    return false;
  scf::ConditionOp condition = loop.getConditionOp();
  found.repeat = condition.getCondition().getDefiningOp<arith::TruncIOp>();
  if (!found.repeat || !found.repeat->hasOneUse())
    return false;
  auto result = dyn_cast<OpResult>(found.repeat.getIn());
  found.exit = result ? dyn_cast<scf::IfOp>(result.getOwner()) : scf::IfOp();
  if (!found.exit || found.exit->getBlock() != loop.getBeforeBody() || found.exit.getElseRegion().empty() ||
      !isOnlyYield(found.exit.getThenRegion()) || !isOnlyYield(found.exit.getElseRegion()))
    return false;
  for (Operation *user : found.exit->getUsers())
    if (user != found.repeat && user != condition)
      return false;
  std::optional<APInt> onTrue = constantInteger(found.exit.thenYield().getOperand(result.getResultNumber()));
  std::optional<APInt> onFalse = constantInteger(found.exit.elseYield().getOperand(result.getResultNumber()));
  if (!onTrue || !onFalse || onTrue->isOne() == onFalse->isOne())
    return false;
  found.goesOnIfTrue = onTrue->isOne();
  scf::YieldOp stay = found.goesOnIfTrue ? found.exit.thenYield() : found.exit.elseYield();
  scf::YieldOp leave = found.goesOnIfTrue ? found.exit.elseYield() : found.exit.thenYield();
  for (Value value : condition.getArgs()) {
    auto chosen = dyn_cast<OpResult>(value);
    bool isChosen = chosen && chosen.getOwner() == found.exit;
    found.nextValues.push_back(isChosen ? stay.getOperand(chosen.getResultNumber()) : value);
    found.exitValues.push_back(isChosen ? leave.getOperand(chosen.getResultNumber()) : value);
  }
  return true;
}

bool matchCounter(Counted &found) {
  found.test = found.exit.getCondition().getDefiningOp<LLVM::ICmpOp>();
  if (!found.test || !isa<IntegerType>(found.test.getLhs().getType()))
    return false;
  if (found.test.getPredicate() != (found.goesOnIfTrue ? LLVM::ICmpPredicate::ne : LLVM::ICmpPredicate::eq))
    return false;
  for (bool swapped : {false, true}) {
    Value counts = swapped ? found.test.getRhs() : found.test.getLhs();
    found.bound = swapped ? found.test.getLhs() : found.test.getRhs();
    found.next = counts.getDefiningOp<LLVM::AddOp>();
    if (!found.next || !isOutside(found.bound, found.loop) || isOutside(counts, found.loop))
      continue;
    auto header = dyn_cast<BlockArgument>(found.next.getLhs());
    std::optional<APInt> step = constantInteger(found.next.getRhs());
    if (!header || header.getOwner() != found.loop.getBeforeBody() || !step || step->isZero() || step->getBitWidth() == 1)
      continue;
    found.counter = header.getArgNumber();
    found.step = *step;
    if (found.nextValues[found.counter] == counts)
      return true;
  }
  return false;
}

/// Whether every execution of `op` comes to its end and goes on behind it.
bool alwaysReturns(Operation *op) {
  if (auto call = dyn_cast<LLVM::CallOp>(op))
    return call.getWillReturn() && call.getNoUnwind();
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return !load.getVolatile_() && load.getOrdering() == LLVM::AtomicOrdering::not_atomic;
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return !store.getVolatile_() && store.getOrdering() == LLVM::AtomicOrdering::not_atomic;
  if (auto copy = dyn_cast<LLVM::MemcpyOp>(op))
    return !copy.getIsVolatile();
  if (auto move = dyn_cast<LLVM::MemmoveOp>(op))
    return !move.getIsVolatile();
  if (auto set = dyn_cast<LLVM::MemsetOp>(op))
    return !set.getIsVolatile();
  if (isa<LLVM::LifetimeStartOp, LLVM::LifetimeEndOp, LLVM::DbgValueOp, LLVM::DbgDeclareOp, LLVM::DbgLabelOp,
          LLVM::NoAliasScopeDeclOp, LLVM::AssumeOp>(op))
    return true;
  if (isa<scf::ForOp, scf::IfOp, scf::IndexSwitchOp, scf::YieldOp, scf::ConditionOp>(op))
    return true;
  return op->getNumRegions() == 0 && isMemoryEffectFree(op);
}

bool everyRoundReturns(scf::WhileOp loop) {
  return !loop.getBefore()
              .walk([](Operation *op) { return alwaysReturns(op) ? WalkResult::advance() : WalkResult::interrupt(); })
              .wasInterrupted();
}

/// Decides between signed and unsigned counting; false if neither is right.
bool provesRounds(Counted &found) {
  if (auto mark = found.loop->getAttrOfType<IntegerAttr>(countedMark)) {
    found.isUnsigned = mark.getInt() == 2;
    return found.step.isStrictlyPositive();
  }
  bool isDown = found.step.isAllOnes();
  bool isSafe = bitEnumContainsAll(found.next.getOverflowFlags(), LLVM::IntegerOverflowFlags::nsw);
  found.isUnsigned = !isSafe && !isDown &&
                     bitEnumContainsAll(found.next.getOverflowFlags(), LLVM::IntegerOverflowFlags::nuw);
  if ((!isSafe && !found.isUnsigned) || (!isDown && !found.step.isStrictlyPositive()))
    return false;
  std::optional<APInt> first = constantInteger(found.loop.getInits()[found.counter]);
  std::optional<APInt> bound = constantInteger(found.bound);
  if (first && bound) {
    const APInt &low = isDown ? *bound : *first, &high = isDown ? *first : *bound;
    bool ordered = found.isUnsigned ? low.ult(high) : low.slt(high);
    return ordered && (isDown || (high - low).urem(found.step) == 0);
  }
  return everyRoundReturns(found.loop);
}

/// Header values that never change are what they were before the loop.
void forwardInvariants(Counted &found) {
  for (BlockArgument header : found.loop.getBeforeArguments()) {
    unsigned at = header.getArgNumber();
    if (at == found.counter || found.nextValues[at] != header)
      continue;
    Value first = found.loop.getInits()[at];
    for (SmallVector<Value> *values : {&found.nextValues, &found.exitValues})
      llvm::replace(*values, Value(header), first);
    header.replaceAllUsesWith(first);
  }
}

/// Everything the scf.for carries from round to round, and where its values come from.
struct Carried {
  SmallVector<Value> inits, nexts;
  /// For each header value, which carried value it is, or -1.
  SmallVector<int> header;
  /// For each result of the while: a carried value, or -1 and a value from outside.
  SmallVector<std::pair<int, Value>> results;
};

Carried planCarried(Counted &found, OpBuilder &builder) {
  Carried plan;
  scf::WhileOp loop = found.loop;
  auto carry = [&](Value init, Value next) {
    plan.inits.push_back(init);
    plan.nexts.push_back(next);
    return static_cast<int>(plan.inits.size() - 1);
  };
  auto isReadInBody = [&](BlockArgument header) {
    // The exit's own yields and the forwarding are no reads of the body.
    return llvm::any_of(header.getUsers(), [&](Operation *user) {
      return !found.exit->isProperAncestor(user) && user != loop.getConditionOp();
    });
  };
  // A header value that another one becomes has to be carried as well.
  llvm::BitVector needed(loop.getInits().size());
  SmallVector<unsigned> pending;
  auto need = [&](Value value) {
    auto header = dyn_cast<BlockArgument>(value);
    if (!header || header.getOwner() != loop.getBeforeBody() || header.getArgNumber() == found.counter)
      return;
    if (needed.test(header.getArgNumber()))
      return;
    needed.set(header.getArgNumber());
    pending.push_back(header.getArgNumber());
  };
  for (BlockArgument header : loop.getBeforeArguments())
    if (isReadInBody(header))
      need(header);
  for (auto [result, value] : llvm::zip_equal(loop.getResults(), found.exitValues))
    if (!result.use_empty())
      need(value);
  while (!pending.empty())
    need(found.nextValues[pending.pop_back_val()]);
  for (unsigned at = 0; at != needed.size(); ++at)
    plan.header.push_back(needed.test(at) ? carry(loop.getInits()[at], found.nextValues[at]) : -1);
  for (auto [at, result] : llvm::enumerate(loop.getResults())) {
    Value value = found.exitValues[at];
    if (result.use_empty() || isOutside(value, loop)) {
      plan.results.emplace_back(-1, value);
    } else if (value == found.next.getResult()) {
      plan.results.emplace_back(-1, found.bound);
    } else if (auto known = llvm::find(plan.nexts, value); known != plan.nexts.end()) {
      plan.results.emplace_back(known - plan.nexts.begin(), Value());
    } else {
      // The last round's value; there is a round, so the poison before it is never seen.
      Value before = LLVM::PoisonOp::create(builder, loop.getLoc(), value.getType());
      plan.results.emplace_back(carry(before, value), Value());
    }
  }
  return plan;
}

void convert(Counted &found) {
  forwardInvariants(found);
  scf::WhileOp loop = found.loop;
  OpBuilder builder(loop);
  Location location = loop.getLoc();
  Value first = loop.getInits()[found.counter];
  auto type = cast<IntegerType>(first.getType());
  auto constant = [&](const APInt &value) -> Value {
    return arith::ConstantOp::create(builder, location, builder.getIntegerAttr(type, value));
  };
  bool isDown = found.step.isAllOnes();
  Value low = first, high = found.bound;
  if (isDown) {
    low = constant(APInt::getZero(type.getWidth()));
    high = LLVM::SubOp::create(builder, location, first, found.bound);
  }
  Value step = constant(isDown ? APInt(type.getWidth(), 1) : found.step);
  Carried plan = planCarried(found, builder);
  auto counted = scf::ForOp::create(builder, location, low, high, step, plan.inits, nullptr,
                                    isDown || found.isUnsigned);
  Block *body = counted.getBody();
  body->clear();
  builder.setInsertionPointToStart(body);
  Value counter = counted.getInductionVar();
  if (isDown)
    counter = LLVM::SubOp::create(builder, location, first, counter);
  SmallVector<Value> headers;
  for (BlockArgument header : loop.getBeforeArguments()) {
    int at = plan.header[header.getArgNumber()];
    Value replacement = header.getArgNumber() == found.counter ? counter
                        : at >= 0                              ? Value(counted.getRegionIterArg(at))
                                                               : Value();
    headers.push_back(replacement);
  }
  auto resolve = [&](Value value) {
    auto header = dyn_cast<BlockArgument>(value);
    return header && header.getOwner() == loop.getBeforeBody() ? headers[header.getArgNumber()] : value;
  };
  SmallVector<Value> nexts = llvm::map_to_vector(plan.nexts, resolve);
  DenseI32ArrayAttr weights = found.exit->getAttrOfType<DenseI32ArrayAttr>(weightsAttribute);
  loop.getConditionOp().erase();
  found.repeat.erase();
  found.exit.erase();
  for (BlockArgument header : loop.getBeforeArguments())
    if (Value replacement = headers[header.getArgNumber()])
      header.replaceAllUsesWith(replacement);
  body->getOperations().splice(body->end(), loop.getBeforeBody()->getOperations());
  builder.setInsertionPointToEnd(body);
  scf::YieldOp::create(builder, location, nexts);
  if (found.test->use_empty())
    found.test.erase();
  if (found.next->use_empty())
    found.next.erase();
  for (auto [result, source] : llvm::zip_equal(loop.getResults(), plan.results))
    if (!result.use_empty())
      result.replaceAllUsesWith(source.first >= 0 ? counted.getResult(source.first) : source.second);
  for (NamedAttribute attribute : loop->getDiscardableAttrs())
    if (attribute.getName() != countedMark)
      counted->setDiscardableAttr(attribute.getName(), attribute.getValue());
  if (weights) {
    SmallVector<int32_t> ordered(weights.asArrayRef());
    if (!found.goesOnIfTrue)
      std::swap(ordered[0], ordered[1]);
    counted->setDiscardableAttr(StringAttr::get(counted.getContext(), weightsAttribute),
                                builder.getDenseI32ArrayAttr(ordered));
  }
  loop.erase();
}

} // namespace

void loom::raising::countLoops(LLVM::LLVMFuncOp function, FunctionOutcome &outcome) {
  SmallVector<scf::WhileOp> loops;
  function.walk([&](scf::WhileOp loop) { loops.push_back(loop); });
  for (scf::WhileOp loop : loops) {
    Counted found;
    found.loop = loop;
    if (matchExit(found) && matchCounter(found) && provesRounds(found)) {
      convert(found);
      ++outcome.counted;
      --outcome.loops;
    } else {
      loop->removeDiscardableAttr(StringAttr::get(loop.getContext(), countedMark));
    }
  }
}
