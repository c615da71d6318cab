// Definitions that stay for their hints until the payload is captured.

#include "candidate_retention.h"

#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
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
/// else, where references from `ignored` do not count.
Values onlyFor(Module &module, ArrayRef<Function *> retained, const Lists &ignored, ArrayRef<Function *> roots) {
  Values reached;
  reached.insert_range(retained);
  close(reached, ignored);
  Values needed;
  needed.insert_range(roots);
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

void refuseAt(const loom::Candidates &job, size_t index, Refusal category, const Twine &message, StringRef advice) {
  clang::SourceLocation place = index < job.retainedFor.size() ? job.retainedFor[index] : clang::SourceLocation();
  loom::refuse(job.instance.getDiagnostics(), category, place, message, place, advice);
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

void erase(Module &module, const Values &values) {
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

std::optional<std::vector<loom::Retained>> loom::planRetention(Module &module, const Candidates &job,
                                                               const Annotations &annotations) {
  std::vector<Retained> plan;
  GlobalVariable *list = module.getGlobalVariable(retainedName, /*AllowInternal=*/true);
  if (!list || !list->hasInitializer())
    return plan;
  SmallVector<Function *, 8> functions;
  Values listed;
  addReferences(*list, listed);
  for (GlobalValue *value : listed)
    if (auto *function = dyn_cast<Function>(value))
      functions.push_back(function);
  // Annotations have no code generated for what they are on.
  Values temporary = onlyFor(module, functions, {list, module.getNamedGlobal(annotationList)}, {});
  bool refused = false;
  auto reject = [&](size_t index, const Twine &message, StringRef advice) {
    refused = true;
    refuseAt(job, index, Refusal::Construct, message, advice);
  };
  for (auto [index, function] : enumerate(functions)) {
    bool sourceRequired = !temporary.contains(function);
    plan.push_back({function, sourceRequired});
    if (sourceRequired)
      continue;
    if (countsExecutions(job.instance.getCodeGenOpts()))
      reject(index, "counters would outlive this definition, which nothing but its candidate needs",
             "use the function, or compile without profiling and coverage");
    for (const Annotation &other : annotations.others)
      if (other.function == function && other.hasArguments)
        reject(index, "the annotation '" + other.text.str() + "' has arguments, which would outlive this definition",
               "use the function, or remove the arguments of the annotation");
      else if (other.function && other.function != function &&
               temporary.contains(const_cast<Function *>(other.function)) &&
               none_of(functions, [&](const Function *it) { return it == other.function; }))
        reject(index, "the annotation '" + other.text.str() + "' on what this definition needs would outlive it",
               "use the function, or remove the annotation");
    for (GlobalValue *value : temporary)
      if (isa<GlobalAlias, GlobalIFunc>(value))
        reject(index, "this definition, which nothing but its candidate needs, needs an alias", "use the function");
  }
  if (refused)
    return std::nullopt;
  return plan;
}

void loom::applyRetention(Module &module, const std::vector<Retained> &plan) {
  if (GlobalVariable *list = module.getGlobalVariable(retainedName, /*AllowInternal=*/true)) {
    filterList(module, "llvm.compiler.used", [&](Constant *entry) { return entry->stripPointerCasts() == list; });
    list->eraseFromParent();
  }
  LLVMContext &context = module.getContext();
  SmallVector<GlobalValue *, 8> kept;
  for (const Retained &retained : plan) {
    kept.push_back(retained.function);
    Constant *required = ConstantInt::getBool(context, retained.sourceRequired);
    retained.function->setMetadata(metadataName, MDNode::get(context, ConstantAsMetadata::get(required)));
  }
  if (!kept.empty())
    appendToCompilerUsed(module, kept);
}

void loom::releaseRetention(Module &module, Candidates &job) {
  SmallVector<Function *, 8> retained, annotated;
  SmallPtrSet<const Function *, 8> temporary;
  for (Function &function : module) {
    const MDNode *node = function.getMetadata(metadataName);
    if (!node)
      continue;
    retained.push_back(&function);
    if (mdconst::extract<ConstantInt>(node->getOperand(0))->isZero())
      temporary.insert(&function);
    function.setMetadata(metadataName, nullptr);
  }
  if (retained.empty())
    return;
  unsigned dropped = 0;
  filterList(module, "llvm.compiler.used", [&](Constant *entry) {
    bool ours = is_contained(retained, entry->stripPointerCasts());
    dropped += ours;
    return ours;
  });
  if (dropped != retained.size())
    return refuseAt(job, 0, Refusal::Projection, "the retention of a definition was lost on the way",
                  "report this as a fault of Loom");
  // An annotation keeps what the source itself has code generated for, as ever.
  for (const Annotation &annotation : Annotations(module).others)
    if (annotation.function && !temporary.contains(annotation.function))
      annotated.push_back(const_cast<Function *>(annotation.function));
  Values dead = onlyFor(module, retained, {module.getNamedGlobal(annotationList)}, annotated);
  for (const GlobalValue *value : dead)
    if (const Comdat *group = value->getComdat())
      for (const GlobalValue &other : module.global_values())
        if (other.getComdat() == group && !dead.contains(const_cast<GlobalValue *>(&other)))
          return refuseAt(job, 0, Refusal::Construct,
                        "what only a candidate needs shares a COMDAT with what the source needs",
                        "use the function that the candidate marks");
  erase(module, dead);
}
