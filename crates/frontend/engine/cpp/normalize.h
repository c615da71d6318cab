// Normalization as the other C++ files of the engine use it.

#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace loom {

struct NormalizedModule {
  std::string triple, layout;
  llvm::SmallVector<char, 0> bitcode;
};

/// Normalizes `bitcode`; on failure sets the stable code and a sentence and returns false.
bool normalizeModule(llvm::StringRef bitcode, NormalizedModule &result, std::string &code,
                     std::string &message);

} // namespace loom
