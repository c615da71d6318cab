// The compiler-only wrapper around a candidate loop, in LLVM: how it is proved and how it goes.

#include "candidate_wrapper.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using loom::Refusal;
using loom::Unproved;

static constexpr StringLiteral alignmentProperty = "llvm.loop.align";
static constexpr StringLiteral hintProperty = "llvm.loop.loom.candidate";

namespace {

constexpr const char *fault = "report this as a fault of Loom";

/// The value of a loop property that is a number, or 0.
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

std::optional<Unproved> proveSelector(Function &function, const loom::Annotations &annotations,
                                      loom::WrappedLoop &loop) {
  unsigned here = 0, elsewhere = 0;
  for (auto &[call, text] : annotations.markers) {
    if (text != loop.hint->markerText)
      continue;
    ++(call->getFunction() == &function ? here : elsewhere);
    loop.marker = call;
  }
  if (elsewhere)
    return Unproved{Refusal::Construct, "this loop became part of another function", fault};
  if (!here)
    return Unproved{Refusal::Construct, "no code is generated for this loop",
                    "it is never reached; remove the pragma, or what keeps the loop from being reached"};
  if (here > 1)
    return Unproved{Refusal::Projection, "code is generated for this loop more than once",
                    "move the loop to where it is needed once"};
  const auto *zero = dyn_cast<ConstantInt>(loop.marker->getArgOperand(0));
  const auto *line = dyn_cast<ConstantInt>(loop.marker->getArgOperand(3));
  if (!zero || !zero->isZero() || !line || line->getZExtValue() != loop.hint->pragmaLine ||
      loom::annotationText(loop.marker->getArgOperand(2)) != loop.hint->file)
    return Unproved{Refusal::Projection, "the marker of this loop is not where its pragma is", fault};

  loop.selector = loop.marker->hasOneUse() ? dyn_cast<SwitchInst>(*loop.marker->user_begin()) : nullptr;
  if (!loop.selector || loop.selector->getNumCases() || loop.selector->getCondition() != loop.marker)
    return Unproved{Refusal::Construct, "the marker of this loop does not select it", fault};
  BasicBlock *body = loop.selector->getDefaultDest();
  if (loop.marker->getNextNode() != loop.selector || body->hasAddressTaken() ||
      body->getSinglePredecessor() != loop.selector->getParent())
    return Unproved{Refusal::Projection, "the loop can be reached without its marker",
                    "let nothing jump to the loop but the code before the pragma"};
  return std::nullopt;
}

/// Binds to the loop that code generation marked. Only the branch back to its beginning carries the mark.
std::optional<Unproved> proveLoop(Function &function, const LoopInfo &loops, const DominatorTree &dominators,
                                  loom::WrappedLoop &loop, const Loop *&bound) {
  SmallVector<Instruction *, 2> latches;
  for (BasicBlock &block : function)
    if (Instruction *terminator = block.getTerminator();
        terminator && markerOf(*terminator) == loop.hint->marker)
      latches.push_back(terminator);
  if (latches.empty())
    return Unproved{Refusal::Construct, "this loop never goes back to its beginning",
                    "remove the pragma; there is no loop in the code that is generated"};
  if (latches.size() > 1)
    return Unproved{Refusal::Projection, "several places of this loop go back to its beginning",
                    "let all iterations end in one place: use 'if' instead of 'continue', or a 'for' loop with an "
                    "increment"};
  loop.latch = latches.front();
  BasicBlock *latch = loop.latch->getParent();
  bound = loops.getLoopFor(latch);
  if (!bound || !bound->isLoopLatch(latch) ||
      !dominators.dominates(loop.selector->getDefaultDest(), bound->getHeader()))
    return Unproved{Refusal::Construct, "this loop can be entered elsewhere than at its beginning",
                    "remove the jump into the loop"};
  if (bound->getLoopLatch() != latch)
    return Unproved{Refusal::Projection, "several places of this loop go back to its beginning",
                    "let all iterations end in one place"};
  if (bound->contains(loop.selector))
    return Unproved{Refusal::Projection, "this loop contains its own marker", fault};
  return std::nullopt;
}

/// Code generation ends the wrapper with a block of its own, directly behind the block where all ways out of the
/// loop meet. Jumps that leave the wrapper do not come by it.
BasicBlock *endOf(const Loop &loop, const BasicBlock *body, const DominatorTree &dominators) {
  SmallVector<BasicBlock *, 8> exits;
  loop.getUniqueExitBlocks(exits);
  SmallSetVector<BasicBlock *, 8> queue(exits.begin(), exits.end());
  for (size_t i = 0; i < queue.size(); ++i) {
    BasicBlock *block = queue[i];
    if (loop.contains(block) || block->isEHPad() || !dominators.dominates(body, block))
      continue;
    // Clean-ups on several ways out meet in a switch.
    Instruction *terminator = block->getTerminator();
    auto *branch = dyn_cast<BranchInst>(terminator);
    if (!isa<SwitchInst>(terminator) && !(branch && branch->isUnconditional()))
      continue;
    BasicBlock *next = block->getNextNode();
    if (branch && branch->getSuccessor(0) == next && next->getSinglePredecessor() == block &&
        !next->hasAddressTaken())
      return next;
    for (BasicBlock *successor : successors(block))
      queue.insert(successor);
  }
  return nullptr;
}

/// Takes the mark off the loop, gives a user's own alignment back, and adds the hint.
void setProperty(Instruction &latch, StringRef hint) {
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

} // namespace

std::optional<Unproved> loom::proveWrapper(Function &function, const Annotations &annotations,
                                           FunctionAnalysisManager &analyses, WrappedLoop &loop) {
  if (std::optional<Unproved> problem = proveSelector(function, annotations, loop))
    return problem;
  const auto &loops = analyses.getResult<LoopAnalysis>(function);
  const auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  const Loop *bound = nullptr;
  if (std::optional<Unproved> problem = proveLoop(function, loops, dominators, loop, bound))
    return problem;
  loop.end = endOf(*bound, loop.selector->getDefaultDest(), dominators);
  return std::nullopt;
}

void loom::unwrap(WrappedLoop &loop) {
  setProperty(*loop.latch, loop.hint->text);
  BasicBlock *body = loop.selector->getDefaultDest();
  BranchInst *branch = BranchInst::Create(body, loop.selector->getIterator());
  branch->setDebugLoc(loop.selector->getDebugLoc());
  loop.selector->eraseFromParent();
  loop.marker->eraseFromParent();
  MergeBlockIntoPredecessor(body);
  if (loop.end)
    MergeBlockIntoPredecessor(loop.end);
}
