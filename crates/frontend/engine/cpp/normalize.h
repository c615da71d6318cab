// Normalization as the other C++ files of the engine use it.

#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace loom {

struct NormalizedModule {
  std::string triple, layout;
  llvm::SmallVector<char, 0> bitcode;
};

/// Normalizes `bitcode`; on failure sets the stable code and a sentence and returns false.
bool normalizeModule(llvm::StringRef bitcode, NormalizedModule &result, std::string &code,
                     std::string &message);

/// Parses and verifies `bitcode` as it is; `layout` receives the module's own spelling of its data layout, which it
/// keeps. On failure sets the stable code and a sentence and returns null.
std::unique_ptr<llvm::Module> readModule(llvm::StringRef bitcode, llvm::LLVMContext &context, std::string &layout,
                                         std::string &code, std::string &message);

} // namespace loom
