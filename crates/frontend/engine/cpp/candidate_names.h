// The names that generated values would have without Loom's.

#pragma once

#include "candidates.h"

#include "llvm/IR/Module.h"

#include <set>
#include <string>

namespace loom {

/// LLVM numbers colliding names of a module with one counter. Loom's own strings take numbers from it, so the names
/// behind them would differ from those of the same source without a hint.
class NameRecovery {
public:
  explicit NameRecovery(llvm::Module &module) : module(module) {}

  /// Erases a value of Loom's and remembers its name.
  void erase(llvm::GlobalValue &value);

  /// Takes the name of a value that others use too, and that they would have made later. No code refers to it.
  void release(llvm::GlobalValue &value);

  /// Gives what is left of the module its own names, and tells `job` what is needed for later names.
  void apply(Candidates &job);

private:
  llvm::Module &module;
  /// Numbers of the erased names, and erased names without one.
  std::set<unsigned> numbers;
  std::set<std::string> plain;
  unsigned released = 0;
};

/// Corrects the names made since [`NameRecovery::apply`], at the end of the pipeline.
void recoverLaterNames(llvm::Module &module, Candidates &job);

} // namespace loom
