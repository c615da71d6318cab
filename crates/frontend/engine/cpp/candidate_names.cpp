// The names that generated values would have without Loom's.

#include "candidate_names.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/GlobalVariable.h"

#include <tuple>

using namespace llvm;

namespace {

/// A name of the form `base.number` on a value that no other module sees.
struct Numbered {
  GlobalValue *value;
  std::string base;
  unsigned number;
};

std::optional<Numbered> numbered(GlobalValue &value) {
  if (!value.hasLocalLinkage())
    return std::nullopt;
  auto [base, digits] = value.getName().rsplit('.');
  unsigned number;
  if (base.empty() || digits.empty() || digits.front() == '0' || digits.getAsInteger(10, number))
    return std::nullopt;
  return Numbered{&value, base.str(), number};
}

/// All such values, by number.
std::vector<Numbered> numberedValues(Module &module) {
  std::vector<Numbered> values;
  for (GlobalValue &value : module.global_values())
    if (std::optional<Numbered> found = numbered(value))
      values.push_back(*found);
  // The base breaks ties, which only a user's own name can make.
  llvm::sort(values, [](const Numbered &left, const Numbered &right) {
    return std::tie(left.number, left.base) < std::tie(right.number, right.base);
  });
  return values;
}

/// Names all at once: a new name of one may be the old name of another.
void rename(ArrayRef<std::pair<GlobalValue *, std::string>> names) {
  for (auto &[value, name] : names)
    value->setName("");
  // With a name of the user's own in the way LLVM picks the next number, as it would have.
  for (auto &[value, name] : names)
    value->setName(name);
}

} // namespace

void loom::NameRecovery::erase(GlobalValue &value) {
  release(value);
  --released;
  value.eraseFromParent();
}

void loom::NameRecovery::release(GlobalValue &value) {
  if (std::optional<Numbered> found = numbered(value))
    numbers.insert(found->number);
  else
    plain.insert(value.getName().str());
  value.setName("");
  ++released;
}

void loom::NameRecovery::apply(Candidates &job) {
  if (numbers.empty() && plain.empty())
    return;
  // The counter cannot be read, but a collision shows it.
  Type *type = Type::getInt8Ty(module.getContext());
  auto *first = new GlobalVariable(module, type, true, GlobalValue::PrivateLinkage, nullptr, "loom.candidate.probe");
  auto *second = new GlobalVariable(module, type, true, GlobalValue::PrivateLinkage, nullptr, "loom.candidate.probe");
  std::optional<Numbered> probe = numbered(*second);
  job.lastNumber = probe ? probe->number : 0;
  numbers.insert(job.lastNumber);
  first->eraseFromParent();
  second->eraseFromParent();

  std::vector<std::pair<GlobalValue *, std::string>> names;
  for (const Numbered &it : numberedValues(module)) {
    if (it.number >= job.lastNumber)
      continue;
    // The first to collide with a name of Loom's would have had it for itself.
    if (plain.erase(it.base)) {
      numbers.insert(it.number);
      names.emplace_back(it.value, it.base);
      continue;
    }
    unsigned taken = std::distance(numbers.begin(), numbers.lower_bound(it.number));
    if (taken)
      names.emplace_back(it.value, it.base + "." + std::to_string(it.number - taken));
  }
  rename(names);
  job.namesTaken = numbers.size() - released;
}

void loom::recoverLaterNames(Module &module, Candidates &job) {
  if (!job.namesTaken)
    return;
  std::vector<std::pair<GlobalValue *, std::string>> names;
  for (const Numbered &it : numberedValues(module))
    if (it.number > job.lastNumber)
      names.emplace_back(it.value, it.base + "." + std::to_string(it.number - job.namesTaken));
  rename(names);
  // -ffat-lto-objects comes by here twice.
  job.namesTaken = 0;
}
