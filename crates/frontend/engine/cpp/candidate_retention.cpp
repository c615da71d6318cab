// Definitions that stay for their hints until the payload is captured.

#include "candidate_retention.h"

#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using clang::SourceLocation;
using loom::Refusal;

static constexpr StringLiteral metadataName = "loom.candidate.temporary_retention";
static constexpr StringLiteral annotationList = "llvm.global.annotations";

namespace {

using Values = SmallSetVector<GlobalValue *, 16>;

void addReferences(const User &user, Values &values) {
  SmallVector<const User *, 16> queue{&user};
  SmallPtrSet<const User *, 16> seen;
  while (!queue.empty())
    for (const Use &operand : queue.pop_back_val()->operands()) {
      if (auto *value = dyn_cast<GlobalValue>(operand.get()))
        values.insert(value);
      else if (auto *constant = dyn_cast<Constant>(operand.get()); constant && seen.insert(constant).second)
        queue.push_back(constant);
    }
}

using Lists = SmallPtrSet<const GlobalValue *, 4>;

/// Adds everything that the values in `values` refer to, but neither adds nor looks into `ignored`.
void close(Values &values, const Lists &ignored) {
  values.remove_if([&](GlobalValue *value) { return ignored.contains(value); });
  for (size_t i = 0; i < values.size(); ++i) {
    Values references;
    addReferences(*values[i], references);
    if (auto *function = dyn_cast<Function>(values[i]))
      for (const BasicBlock &block : *function)
        for (const Instruction &instruction : block)
          addReferences(instruction, references);
    for (GlobalValue *value : references)
      if (!ignored.contains(value))
        values.insert(value);
  }
}

/// What nobody but the definitions in `retained` needs: discardable values reachable from them and from nothing
/// else. Annotations have no code generated for what they are on, nor have counters, which may be there already.
Values onlyFor(Module &module, ArrayRef<Function *> retained) {
  Lists ignored{module.getNamedGlobal(annotationList),
                module.getGlobalVariable(loom::retainedName, /*AllowInternal=*/true)};
  for (const GlobalVariable &variable : module.globals())
    if (variable.getSection().starts_with("__llvm_prf_"))
      ignored.insert(&variable);
  Values reached;
  reached.insert_range(retained);
  close(reached, ignored);
  Values needed;
  for (GlobalValue &value : module.global_values())
    if (!reached.contains(&value) || (!value.isDeclaration() && !value.isDiscardableIfUnused()))
      needed.insert(&value);
  close(needed, ignored);
  Values only;
  for (GlobalValue *value : reached)
    if (!needed.contains(value))
      only.insert(value);
  return only;
}

bool countsExecutions(const clang::CodeGenOptions &options) {
  return options.hasProfileClangInstr() || options.hasProfileIRInstr() || options.hasProfileCSIRInstr() ||
         options.CoverageMapping || !options.CoverageNotesFile.empty() || !options.CoverageDataFile.empty() ||
         options.SanitizeCoverageType || options.SanitizeCoverageTracePC ||
         options.SanitizeCoverageTracePCGuard || options.SanitizeCoverageInline8bitCounters ||
         options.SanitizeCoverageInlineBoolFlag;
}

struct Objection {
  std::string message;
  const char *advice;
};

/// Why `function`, which needs `needs` and is needed by nothing, cannot come and go with its hint.
std::optional<Objection> objectionTo(const Function *function, const Values &needs, ArrayRef<Function *> retained,
                                     const loom::Candidates &job, const loom::Annotations &annotations) {
  if (countsExecutions(job.instance.getCodeGenOpts()))
    return Objection{"counters would outlive this definition, which nothing but its candidate needs",
                     "use the function, or compile without profiling and coverage"};
  for (const loom::Annotation &other : annotations.others) {
    auto *target = const_cast<Function *>(other.function);
    if (target == function && other.hasArguments)
      return Objection{"the annotation '" + other.text.str() +
                           "' has arguments, which would outlive this definition; nothing but its candidate needs it",
                       "use the function, or remove the arguments of the annotation"};
    if (target != function && needs.contains(target) && !is_contained(retained, target))
      return Objection{"the annotation '" + other.text.str() +
                           "' is on what this definition needs, which nothing but its candidate needs",
                       "use the function, or remove the annotation"};
  }
  for (const GlobalValue *value : needs) {
    if (isa<GlobalAlias, GlobalIFunc>(value))
      return Objection{"this definition, which nothing but its candidate needs, needs an alias",
                       "use the function"};
    const Comdat *group = value->getComdat();
    auto survives = [&](const GlobalValue *other) { return !needs.contains(const_cast<GlobalValue *>(other)); };
    if (group && any_of(group->getUsers(), survives))
      return Objection{"this definition, which nothing but its candidate needs, shares a group with others",
                       "use the function"};
  }
  return std::nullopt;
}

/// The entries of a list without those that `drop` names.
void filterList(Module &module, StringRef name, function_ref<bool(Constant *)> drop) {
  GlobalVariable *list = module.getNamedGlobal(name);
  if (!list || !list->hasInitializer())
    return;
  SmallVector<Constant *, 8> kept;
  auto *entries = cast<ConstantArray>(list->getInitializer());
  for (const Use &entry : entries->operands())
    if (!drop(cast<Constant>(entry)))
      kept.push_back(cast<Constant>(entry));
  if (kept.size() != entries->getNumOperands())
    loom::replaceList(*list, kept);
}

/// Debug information lists variables by unit, whether they are still there or not.
void forgetVariables(Module &module, const Values &values) {
  SmallPtrSet<const Metadata *, 8> gone;
  SmallVector<DIGlobalVariableExpression *, 1> described;
  for (const GlobalValue *value : values)
    if (const auto *variable = dyn_cast<GlobalVariable>(value))
      variable->getDebugInfo(described);
  gone.insert_range(described);
  if (gone.empty())
    return;
  for (DICompileUnit *unit : module.debug_compile_units()) {
    SmallVector<Metadata *, 16> kept;
    for (DIGlobalVariableExpression *variable : unit->getGlobalVariables())
      if (!gone.contains(variable))
        kept.push_back(variable);
    unit->replaceGlobalVariables(MDTuple::get(module.getContext(), kept));
  }
}

void erase(Module &module, const Values &values) {
  forgetVariables(module, values);
  SmallSetVector<GlobalVariable *, 8> strings;
  filterList(module, annotationList, [&](Constant *entry) {
    auto *target = dyn_cast<GlobalValue>(entry->getOperand(0)->stripPointerCasts());
    if (!target || !values.contains(target))
      return false;
    for (unsigned field : {1, 2})
      if (auto *text = dyn_cast<GlobalVariable>(entry->getOperand(field)))
        strings.insert(text);
    return true;
  });
  for (GlobalValue *value : values) {
    if (auto *function = dyn_cast<Function>(value))
      function->deleteBody();
    else if (auto *variable = dyn_cast<GlobalVariable>(value))
      variable->setInitializer(nullptr);
  }
  for (GlobalValue *value : values) {
    strings.remove(dyn_cast<GlobalVariable>(value));
    value->removeDeadConstantUsers();
    if (value->use_empty())
      value->eraseFromParent();
  }
  for (GlobalVariable *text : strings) {
    text->removeDeadConstantUsers();
    if (text->use_empty())
      text->eraseFromParent();
  }
}

} // namespace

std::optional<loom::RetentionPlan> loom::planRetention(Module &module, const Candidates &job,
                                                       const Annotations &annotations) {
  RetentionPlan plan;
  GlobalVariable *list = module.getGlobalVariable(retainedName, /*AllowInternal=*/true);
  if (!list || !list->hasInitializer())
    return plan;
  SmallVector<Function *, 8> functions;
  Values listed;
  addReferences(*list, listed);
  for (GlobalValue *value : listed)
    if (auto *function = dyn_cast<Function>(value))
      functions.push_back(function);
  Values temporary = onlyFor(module, functions);

  bool refused = false;
  for (auto [index, function] : enumerate(functions)) {
    plan.retained.emplace_back(function, !temporary.contains(function));
    if (!temporary.contains(function))
      continue;
    Values needs;
    needs.insert(function);
    close(needs, {});
    needs.remove_if([&](GlobalValue *value) { return !temporary.contains(value); });
    if (std::optional<Objection> objection = objectionTo(function, needs, functions, job, annotations)) {
      refused = true;
      SourceLocation place = index < job.retainedFor.size() ? job.retainedFor[index] : SourceLocation();
      refuse(job.instance.getDiagnostics(), Refusal::Construct, place, objection->message, place,
             objection->advice);
    }
  }
  if (refused)
    return std::nullopt;
  return plan;
}

void loom::dropRetainedList(Module &module) {
  GlobalVariable *list = module.getGlobalVariable(retainedName, /*AllowInternal=*/true);
  if (!list)
    return;
  filterList(module, "llvm.compiler.used", [&](Constant *entry) { return entry->stripPointerCasts() == list; });
  Values listed;
  addReferences(*list, listed);
  list->eraseFromParent();
  // What is left of the list must not look like a use of the function.
  for (GlobalValue *value : listed)
    value->removeDeadConstantUsers();
}

void loom::applyRetention(Module &module, const RetentionPlan &plan) {
  LLVMContext &context = module.getContext();
  SmallVector<GlobalValue *, 8> kept;
  for (auto [function, sourceRequired] : plan.retained) {
    kept.push_back(function);
    Constant *required = ConstantInt::getBool(context, sourceRequired);
    function->setMetadata(metadataName, MDNode::get(context, ConstantAsMetadata::get(required)));
  }
  if (!kept.empty())
    appendToCompilerUsed(module, kept);
}

void loom::discardTemporaries(Module &module, const RetentionPlan &plan) {
  SmallVector<Function *, 8> functions;
  for (auto [function, sourceRequired] : plan.retained)
    functions.push_back(function);
  erase(module, onlyFor(module, functions));
}
