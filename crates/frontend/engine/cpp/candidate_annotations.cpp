// The annotations of a module that belong to Loom.

#include "candidate_annotations.h"

#include "candidate_names.h"
#include "candidates.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

static constexpr StringLiteral listName = "llvm.global.annotations";

StringRef loom::annotationText(const Value *operand) {
  const auto *variable = dyn_cast<GlobalVariable>(operand->stripPointerCasts());
  if (!variable || !variable->hasInitializer())
    return {};
  const auto *data = dyn_cast<ConstantDataSequential>(variable->getInitializer());
  return data && data->isCString() ? data->getAsCString() : StringRef();
}

namespace {

const ConstantArray *listOf(Module &module) {
  const GlobalVariable *list = module.getNamedGlobal(listName);
  return list && list->hasInitializer() ? dyn_cast<ConstantArray>(list->getInitializer()) : nullptr;
}

/// Five fields: what, text, file, line, arguments.
const ConstantStruct *entryOf(const Value *operand) {
  const auto *entry = dyn_cast<ConstantStruct>(operand);
  return entry && entry->getNumOperands() == 5 ? entry : nullptr;
}

bool isOurs(const ConstantStruct *entry) {
  return entry && loom::annotationText(entry->getOperand(1)).starts_with(loom::annotationPrefix);
}

/// What expressions, local variables and members are annotated with, where it is Loom's.
template <typename Visit> void forEachExpression(Module &module, Visit visit) {
  for (Function &function : module) {
    if (!is_contained({Intrinsic::annotation, Intrinsic::var_annotation, Intrinsic::ptr_annotation},
                      function.getIntrinsicID()))
      continue;
    for (User *user : function.users())
      if (auto *call = dyn_cast<CallInst>(user))
        if (StringRef text = loom::annotationText(call->getArgOperand(1));
            text.starts_with(loom::annotationPrefix))
          visit(text);
  }
}

} // namespace

bool loom::Annotations::present(Module &module) {
  if (const ConstantArray *list = listOf(module))
    for (const Use &operand : list->operands())
      if (isOurs(entryOf(operand)))
        return true;
  bool found = false;
  forEachExpression(module, [&](StringRef) { found = true; });
  return found;
}

loom::Annotations::Annotations(Module &module) {
  if (const ConstantArray *list = listOf(module))
    for (const Use &operand : list->operands()) {
      const ConstantStruct *entry = entryOf(operand);
      if (!entry)
        continue;
      const auto *line = dyn_cast<ConstantInt>(entry->getOperand(3));
      Annotation annotation{dyn_cast<Function>(entry->getOperand(0)->stripPointerCasts()),
                            annotationText(entry->getOperand(1)), annotationText(entry->getOperand(2)),
                            line ? uint32_t(line->getZExtValue()) : 0, !entry->getOperand(4)->isNullValue()};
      (isOurs(entry) ? ours : others).push_back(annotation);
    }
  forEachExpression(module, [&](StringRef text) { expressions.push_back(text); });
}

void loom::replaceList(GlobalVariable &list, ArrayRef<Constant *> entries) {
  if (!entries.empty()) {
    auto *type = ArrayType::get(entries.front()->getType(), entries.size());
    auto *replacement =
        new GlobalVariable(*list.getParent(), type, list.isConstant(), list.getLinkage(),
                           ConstantArray::get(type, entries), "", &list, list.getThreadLocalMode(),
                           list.getAddressSpace());
    replacement->copyAttributesFrom(&list);
    replacement->takeName(&list);
  }
  list.eraseFromParent();
}

void loom::Annotations::removeOurs(Module &module, NameRecovery &names) {
  SmallSetVector<GlobalVariable *, 16> strings;
  SmallSetVector<GlobalValue *, 16> targets;
  if (const ConstantArray *list = listOf(module)) {
    SmallVector<Constant *, 16> kept;
    for (const Use &operand : list->operands()) {
      auto *entry = cast<Constant>(operand);
      if (!isOurs(entryOf(entry))) {
        kept.push_back(entry);
        continue;
      }
      if (auto *target = dyn_cast<GlobalValue>(entry->getOperand(0)))
        targets.insert(target);
      for (unsigned field : {1, 2})
        if (auto *text = dyn_cast<GlobalVariable>(entry->getOperand(field)))
          strings.insert(text);
    }
    if (kept.size() != list->getNumOperands())
      replaceList(*module.getNamedGlobal(listName), kept);
  }
  // What is left of the entries must not look like a use.
  for (GlobalValue *target : targets)
    target->removeDeadConstantUsers();
  for (GlobalVariable *text : strings) {
    text->removeDeadConstantUsers();
    if (text->use_empty())
      names.erase(*text);
    else
      names.release(*text);
  }
}
