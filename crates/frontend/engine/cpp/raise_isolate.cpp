// What of a module cannot go through MLIR unharmed, judged before the import.

#include "raise_isolate.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace loom::raising;

namespace {

/// Why a function is not lifted, or not even imported.
struct Verdict {
  const char *reason;
  bool isolate;
};

/// Constants that the importer rejects, each of them fatal for the whole module.
class Constants {
public:
  /// Imported well, but its label belongs to a body that may not be there at the export.
  static constexpr const char *blockAddress = "block_address";

  const char *findUnsupported(const Constant *constant) {
    if (isa<GlobalValue>(constant) || isa<ConstantData>(constant))
      return nullptr;
    auto [known, isNew] = judged.try_emplace(constant, nullptr);
    if (!isNew)
      return known->second;
    const char *reason = isa<NoCFIValue>(constant) ? "no_cfi" : isa<ConstantPtrAuth>(constant) ? "ptrauth" : nullptr;
    if (isa<BlockAddress>(constant))
      return judged[constant] = blockAddress;
    for (const Use &use : constant->operands()) {
      if (reason)
        break;
      if (auto *operand = dyn_cast<Constant>(use.get()))
        reason = findUnsupported(operand);
    }
    return judged[constant] = reason;
  }

private:
  DenseMap<const Constant *, const char *> judged;
};

/// The constrained operations that MLIR has; the others carry a rounding mode as metadata it cannot hold.
bool isKnownConstrained(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::experimental_constrained_fptrunc:
  case Intrinsic::experimental_constrained_fpext:
  case Intrinsic::experimental_constrained_sitofp:
  case Intrinsic::experimental_constrained_uitofp:
    return true;
  default:
    return false;
  }
}

std::optional<Verdict> judgeCall(const CallBase &call) {
  if (call.isMustTailCall())
    return Verdict{"musttail", false};
  if (!call.getCalledFunction() && call.hasFnAttr(Attribute::ReturnsTwice))
    return Verdict{"returns_twice", false};
  // Lost on the call; where the callee has it too, nothing is lost.
  if (call.getAttributes().hasFnAttr(Attribute::NoDuplicate) &&
      !(call.getCalledFunction() && call.getCalledFunction()->hasFnAttribute(Attribute::NoDuplicate)))
    return Verdict{"call_attribute", false};
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(&call)) {
    Intrinsic::ID id = intrinsic->getIntrinsicID();
    bool metadata = llvm::any_of(call.args(), [](const Use &use) { return isa<MetadataAsValue>(use.get()); });
    if (metadata && !isa<DbgInfoIntrinsic>(intrinsic) && id != Intrinsic::experimental_noalias_scope_decl &&
        !isKnownConstrained(id))
      return Verdict{isa<ConstrainedFPIntrinsic>(intrinsic) ? "constrained_fp" : "metadata_argument", true};
    switch (id) {
    case Intrinsic::coro_begin:
    case Intrinsic::coro_id:
    case Intrinsic::coro_suspend:
      return Verdict{"coroutine", false};
    case Intrinsic::localescape:
    case Intrinsic::localrecover:
      return Verdict{"local_escape", false};
    case Intrinsic::assume:
      return std::nullopt;
    default:
      break;
    }
  }
  for (unsigned at = 0; at != call.getNumOperandBundles(); ++at)
    return Verdict{call.getOperandBundleAt(at).getTagID() == LLVMContext::OB_convergencectrl ? "convergence"
                                                                                             : "operand_bundles",
                   false};
  return std::nullopt;
}

std::optional<Verdict> judgeInstruction(const Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::CallBr:
    return Verdict{"asm_goto", true};
  case Instruction::CatchSwitch:
  case Instruction::CatchPad:
  case Instruction::CleanupPad:
  case Instruction::CatchRet:
  case Instruction::CleanupRet:
    return Verdict{"funclets", true};
  case Instruction::Invoke:
    return Verdict{"invoke", false};
  case Instruction::Resume:
  case Instruction::LandingPad:
    return Verdict{"landing_pad", false};
  case Instruction::IndirectBr:
    return Verdict{"computed_goto", false};
  default:
    break;
  }
  // Values of these types can be no block argument, or have no poison.
  Type *type = instruction.getType();
  if (type->isTokenTy() && isa<ConvergenceControlInst>(instruction))
    return Verdict{"convergence", false};
  if (type->isTokenTy())
    return Verdict{"token_value", false};
  if (type->isX86_AMXTy())
    return Verdict{"amx_value", false};
  if (type->isTargetExtTy())
    return Verdict{"target_value", false};
  if (auto *slot = dyn_cast<AllocaInst>(&instruction); slot && (slot->isSwiftError() || slot->isUsedWithInAlloca()))
    return Verdict{slot->isSwiftError() ? "swifterror" : "inalloca", false};
  if (auto *call = dyn_cast<CallBase>(&instruction))
    return judgeCall(*call);
  return std::nullopt;
}

/// The gravest verdict: one that isolates before one that does not, and the first of each.
std::optional<Verdict> judge(const Function &function, Constants &constants) {
  std::optional<Verdict> verdict;
  bool addresses = false;
  auto take = [&](std::optional<Verdict> found) {
    if (found && (!verdict || (found->isolate && !verdict->isolate)))
      verdict = found;
  };
  auto takeOperand = [&](const Use &use) {
    auto *constant = dyn_cast<Constant>(use.get());
    const char *reason = constant ? constants.findUnsupported(constant) : nullptr;
    if (reason == Constants::blockAddress)
      addresses = true;
    else if (reason)
      take(Verdict{reason, true});
  };
  llvm::for_each(function.operands(), takeOperand);
  if (function.hasFnAttribute(Attribute::Naked))
    take(Verdict{"naked", false});
  // Calls lose the attribute that keeps them from being folded for the default environment.
  if (function.hasFnAttribute(Attribute::StrictFP))
    take(Verdict{"constrained_fp", false});
  if (function.isPresplitCoroutine())
    take(Verdict{"coroutine", false});
  for (const Argument &argument : function.args())
    if (argument.hasSwiftErrorAttr() || argument.hasInAllocaAttr())
      take(Verdict{argument.hasSwiftErrorAttr() ? "swifterror" : "inalloca", false});
  for (const BasicBlock &block : function) {
    addresses |= block.hasAddressTaken();
    for (const Instruction &instruction : block) {
      take(judgeInstruction(instruction));
      llvm::for_each(instruction.operands(), takeOperand);
      if (verdict && verdict->isolate)
        return verdict;
    }
  }
  if (addresses)
    take(Verdict{Constants::blockAddress, false});
  return verdict;
}

/// Whatever holds the address of a label in an isolated body would hold another value without that body.
void isolateHolders(const Function &isolated, Outcome &outcome, SmallSetVector<GlobalObject *, 4> &all) {
  std::vector<const User *> pending;
  for (const BasicBlock &block : isolated)
    if (const BlockAddress *address = BlockAddress::lookup(&block))
      pending.push_back(address);
  while (!pending.empty()) {
    const User *user = pending.back();
    pending.pop_back();
    for (const User *next : user->users()) {
      if (auto *variable = dyn_cast<GlobalVariable>(next)) {
        outcome.isolatedGlobals[variable->getName().str()] = Constants::blockAddress;
        all.insert(const_cast<GlobalVariable *>(variable));
      } else if (auto *instruction = dyn_cast<Instruction>(next)) {
        auto *holder = const_cast<Function *>(instruction->getFunction());
        if (!all.insert(holder))
          continue;
        FunctionOutcome &known = outcome.functions[holder->getName().str()];
        known.state = FunctionOutcome::Isolated;
        known.reason = Constants::blockAddress;
        isolateHolders(*holder, outcome, all);
      } else {
        pending.push_back(next);
      }
    }
  }
}

/// One comparison and branch for each case: MLIR's text holds no case beyond 64 bits.
void lowerWideSwitch(SwitchInst &wide) {
  BasicBlock *block = wide.getParent(), *fallback = wide.getDefaultDest();
  std::vector<std::pair<ConstantInt *, BasicBlock *>> cases;
  for (auto it : wide.cases())
    cases.emplace_back(it.getCaseValue(), it.getCaseSuccessor());
  SmallPtrSet<BasicBlock *, 8> successors(succ_begin(block), succ_end(block));
  // What each successor's phis receive from this block; they receive it once for each edge.
  std::vector<std::pair<PHINode *, Value *>> incoming;
  for (BasicBlock &candidate : *block->getParent()) {
    if (!successors.contains(&candidate))
      continue;
    for (PHINode &phi : candidate.phis()) {
      incoming.emplace_back(&phi, phi.getIncomingValueForBlock(block));
      phi.removeIncomingValueIf([&](unsigned at) { return phi.getIncomingBlock(at) == block; }, false);
    }
  }
  auto connect = [&](BasicBlock *from, BasicBlock *to) {
    for (auto &[phi, value] : incoming)
      if (phi->getParent() == to)
        phi->addIncoming(value, from);
  };
  DebugLoc location = wide.getDebugLoc();
  Value *selector = wide.getCondition();
  wide.eraseFromParent();
  for (size_t at = 0; at != cases.size(); ++at) {
    auto *test = new ICmpInst(block, CmpInst::ICMP_EQ, selector, cases[at].first);
    test->setDebugLoc(location);
    BasicBlock *next = fallback;
    if (at + 1 != cases.size()) {
      next = BasicBlock::Create(block->getContext(), "", block->getParent(), block->getNextNode());
    }
    BranchInst::Create(cases[at].second, next, test, block)->setDebugLoc(location);
    connect(block, cases[at].second);
    if (next == fallback)
      connect(block, fallback);
    block = next;
  }
  if (cases.empty()) {
    BranchInst::Create(fallback, block)->setDebugLoc(location);
    connect(block, fallback);
  }
}

void lowerWideSwitches(Function &function) {
  std::vector<SwitchInst *> wide;
  for (BasicBlock &block : function)
    if (auto *it = dyn_cast<SwitchInst>(block.getTerminator()))
      if (it->getCondition()->getType()->getIntegerBitWidth() > 64)
        wide.push_back(it);
  llvm::for_each(wide, [](SwitchInst *it) { lowerWideSwitch(*it); });
}

/// What an isolated definition looks like from outside: the same name, type and address, no content.
void becomeDeclaration(GlobalObject &object) {
  if (auto *function = dyn_cast<Function>(&object)) {
    function->deleteBody();
  } else {
    auto &variable = cast<GlobalVariable>(object);
    variable.setInitializer(nullptr);
    variable.setExternallyInitialized(false);
    variable.setLinkage(GlobalValue::ExternalLinkage);
  }
  object.setComdat(nullptr);
  object.clearMetadata();
}

/// An alias of something without content is something without content.
void replaceAliases(Module &module, const SmallSetVector<GlobalObject *, 4> &isolated) {
  for (GlobalAlias &alias : llvm::make_early_inc_range(module.aliases())) {
    if (!isolated.contains(alias.getAliaseeObject()))
      continue;
    GlobalObject *replacement;
    if (auto *type = dyn_cast<FunctionType>(alias.getValueType()))
      replacement = Function::Create(type, GlobalValue::ExternalLinkage, alias.getAddressSpace(), "", &module);
    else
      replacement = new GlobalVariable(module, alias.getValueType(), /*isConstant=*/false, GlobalValue::ExternalLinkage,
                                       nullptr, "", nullptr, alias.getThreadLocalMode(), alias.getAddressSpace());
    replacement->takeName(&alias);
    alias.replaceAllUsesWith(replacement);
    alias.eraseFromParent();
  }
}

} // namespace

void loom::raising::judgeModule(Module &clone, Outcome &outcome) {
  Constants constants;
  SmallSetVector<GlobalObject *, 4> isolated;
  for (Function &function : clone) {
    if (function.isDeclaration())
      continue;
    EliminateUnreachableBlocks(function);
    lowerWideSwitches(function);
    FunctionOutcome &known = outcome.functions[function.getName().str()];
    std::optional<Verdict> verdict = judge(function, constants);
    if (!verdict)
      continue;
    known.reason = verdict->reason;
    known.state = verdict->isolate ? FunctionOutcome::Isolated : FunctionOutcome::Unstructured;
    if (verdict->isolate)
      isolated.insert(&function);
  }
  for (GlobalVariable &variable : clone.globals()) {
    if (!variable.hasInitializer())
      continue;
    const char *reason = constants.findUnsupported(variable.getInitializer());
    if (reason == Constants::blockAddress)
      reason = nullptr;
    // The importer drops the flag, and the initializer would then look final.
    if (!reason && variable.isExternallyInitialized())
      reason = "externally_initialized";
    if (reason)
      outcome.isolatedGlobals[variable.getName().str()] = reason;
  }
  for (GlobalObject *object : std::vector(isolated.begin(), isolated.end()))
    isolateHolders(cast<Function>(*object), outcome, isolated);
}

void loom::raising::isolateJudged(Module &clone, const Outcome &outcome) {
  SmallSetVector<GlobalObject *, 4> isolated;
  for (const auto &[name, known] : outcome.functions)
    if (known.state == FunctionOutcome::Isolated)
      isolated.insert(clone.getFunction(name));
  for (const auto &[name, reason] : outcome.isolatedGlobals)
    isolated.insert(clone.getNamedGlobal(name));
  llvm::for_each(isolated, [](GlobalObject *it) { becomeDeclaration(*it); });
  replaceAliases(clone, isolated);
}
