// Loops whose rounds scalar evolution can count.
//
// Runs on the clone before the import, where LLVM's analyses are. A loop that leaves only at its latch, after a number
// of rounds known when it starts, either already counts `next != bound` without a wrap on the way, which is proved, or
// its latch gets a new counter from 0 to the number of rounds.

#include "raise_scev.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace {

constexpr unsigned signedCount = 1, unsignedCount = 2;

class Counter {
public:
  Counter(Function &function, const TargetLibraryInfoImpl &library)
      : info(library, &function), dominators(function), loops(dominators), assumptions(function),
        evolution(function, info, assumptions, dominators, loops) {}

  DenseMap<const BasicBlock *, unsigned> run() {
    DenseMap<const BasicBlock *, unsigned> counted;
    SmallVector<Loop *, 4> preorder = loops.getLoopsInPreorder();
    for (Loop *loop : reverse(preorder))
      if (unsigned order = count(*loop))
        counted[loop->getLoopLatch()] = order;
    return counted;
  }

private:
  TargetLibraryInfo info;
  DominatorTree dominators;
  LoopInfo loops;
  AssumptionCache assumptions;
  ScalarEvolution evolution;

  unsigned count(Loop &loop) {
    BasicBlock *latch = loop.getLoopLatch();
    if (!latch || loop.getExitingBlock() != latch)
      return 0;
    auto *branch = dyn_cast<BranchInst>(latch->getTerminator());
    if (!branch || !branch->isConditional())
      return 0;
    const SCEV *rounds = evolution.getBackedgeTakenCount(&loop);
    if (isa<SCEVCouldNotCompute>(rounds) || !rounds->getType()->isIntegerTy() ||
        rounds->getType()->getIntegerBitWidth() > 64)
      return 0;
    if (unsigned order = countsAlready(loop, *branch))
      return order;
    return addCounter(loop, *branch, rounds);
  }

  /// The loop goes on while `phi + step != bound`, and the bound is ahead of the phi's first value by a multiple of
  /// the step, at least one.
  unsigned countsAlready(Loop &loop, BranchInst &branch) {
    auto *test = dyn_cast<ICmpInst>(branch.getCondition());
    bool goesOnIfTrue = branch.getSuccessor(0) == loop.getHeader();
    if (!test || test->getPredicate() != (goesOnIfTrue ? CmpInst::ICMP_NE : CmpInst::ICMP_EQ) ||
        !test->getOperand(0)->getType()->isIntegerTy())
      return 0;
    for (unsigned side : {0, 1}) {
      auto *next = dyn_cast<BinaryOperator>(test->getOperand(side));
      Value *bound = test->getOperand(1 - side);
      if (!next || next->getOpcode() != Instruction::Add || !loop.isLoopInvariant(bound))
        continue;
      auto *phi = dyn_cast<PHINode>(next->getOperand(0));
      auto *step = dyn_cast<ConstantInt>(next->getOperand(1));
      if (!phi || phi->getParent() != loop.getHeader() || phi->getIncomingValueForBlock(loop.getLoopLatch()) != next ||
          !step || !step->isOne() || phi->getNumIncomingValues() != 2)
        continue;
      Value *first = phi->getIncomingValue(phi->getIncomingBlock(0) == loop.getLoopLatch());
      const SCEV *from = evolution.getSCEV(first), *to = evolution.getSCEV(bound);
      if (isAhead(loop, CmpInst::ICMP_SLT, from, to))
        return signedCount;
      if (isAhead(loop, CmpInst::ICMP_ULT, from, to))
        return unsignedCount;
    }
    return 0;
  }

  bool isAhead(Loop &loop, CmpInst::Predicate order, const SCEV *from, const SCEV *to) {
    return evolution.isKnownPredicate(order, from, to) || evolution.isLoopEntryGuardedByCond(&loop, order, from, to);
  }

  unsigned addCounter(Loop &loop, BranchInst &branch, const SCEV *rounds) {
    Type *type = Type::getInt64Ty(branch.getContext());
    const SCEV *guarded = evolution.applyLoopGuards(rounds, &loop);
    APInt most = evolution.getUnsignedRangeMax(guarded).zext(64);
    if (most.isMaxValue())
      return 0;
    const SCEV *total =
        evolution.getAddExpr(evolution.getNoopOrZeroExtend(rounds, type), evolution.getOne(type));
    BasicBlock *entry = loop.getLoopPreheader();
    if (!entry)
      entry = InsertPreheaderForLoop(&loop, &dominators, &loops, nullptr, /*PreserveLCSSA=*/false);
    if (!entry)
      return 0;
    SCEVExpander expander(evolution, "rounds", /*PreserveLCSSA=*/false);
    if (!expander.isSafeToExpandAt(total, entry->getTerminator()))
      return 0;
    Value *bound = expander.expandCodeFor(total, type, entry->getTerminator()->getIterator());
    bool isSigned = most.ult(APInt::getSignedMaxValue(64));
    BasicBlock *header = loop.getHeader(), *latch = loop.getLoopLatch();
    PHINode *phi = PHINode::Create(type, 2, "", header->begin());
    Instruction *next = BinaryOperator::CreateAdd(phi, ConstantInt::get(type, 1), "", branch.getIterator());
    next->setHasNoUnsignedWrap();
    next->setHasNoSignedWrap(isSigned);
    next->setDebugLoc(branch.getDebugLoc());
    for (BasicBlock *from : predecessors(header))
      phi->addIncoming(from == latch ? static_cast<Value *>(next) : ConstantInt::get(type, 0), from);
    bool goesOnIfTrue = branch.getSuccessor(0) == header;
    auto *test = new ICmpInst(branch.getIterator(), goesOnIfTrue ? CmpInst::ICMP_NE : CmpInst::ICMP_EQ, next, bound);
    test->setDebugLoc(branch.getDebugLoc());
    Value *former = branch.getCondition();
    branch.setCondition(test);
    evolution.forgetLoop(&loop);
    RecursivelyDeleteTriviallyDeadInstructions(former);
    for (PHINode &it : make_early_inc_range(header->phis()))
      RecursivelyDeleteDeadPHINode(&it);
    return isSigned ? signedCount : unsignedCount;
  }
};

} // namespace

DenseMap<const BasicBlock *, unsigned> loom::raising::countRounds(Function &function) {
  TargetLibraryInfoImpl library(function.getParent()->getTargetTriple());
  return Counter(function, library).run();
}
