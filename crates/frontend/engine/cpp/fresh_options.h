// Normalization that no LLVM option of this process can reach.

#pragma once

#include "normalize.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace loom {

/// Runs `normalize` in a forked copy of this single-threaded process after LLVM's options were reset there,
/// and returns what it returned. A copy that dies is a failure with code `llvm_module_invalid`.
bool inFreshOptions(llvm::function_ref<bool(NormalizedModule &, std::string &, std::string &)> normalize,
                    NormalizedModule &result, std::string &code, std::string &message);

} // namespace loom
