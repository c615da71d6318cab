// The annotations of a module that belong to Loom, as clang's code generation leaves them.

#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace loom {

class NameRecovery;

/// An entry of llvm.global.annotations.
struct Annotation {
  /// Null if it is on something else.
  const llvm::Function *function;
  llvm::StringRef text, file;
  uint32_t line;
  bool hasArguments;
};

/// All annotations of a module.
class Annotations {
public:
  explicit Annotations(llvm::Module &module);

  /// Entries that begin with Loom's prefix, and all others that are on functions, in the order of the module.
  std::vector<Annotation> ours, others;
  /// What expressions, local variables and members are annotated with, where it begins with Loom's prefix, in the
  /// order of the module.
  std::vector<llvm::StringRef> expressions;

  /// Whether there are any of Loom's.
  static bool present(llvm::Module &module);

  /// Drops Loom's entries and the strings that nothing else uses. Others stay as they are.
  void removeOurs(llvm::Module &module, NameRecovery &names);
};

/// The text in an annotation's string operand, empty if it is no string.
llvm::StringRef annotationText(const llvm::Value *operand);

/// Replaces an appending list of constants such as llvm.compiler.used, or removes it if `entries` is empty.
void replaceList(llvm::GlobalVariable &list, llvm::ArrayRef<llvm::Constant *> entries);

} // namespace loom
