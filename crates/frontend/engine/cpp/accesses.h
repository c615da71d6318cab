// What this process asks of the world and does to it, seen at the border to the C library.

#pragma once

#include "llvm/ADT/StringRef.h"

namespace clang {
class CompilerInvocation;
}

namespace loom {

/// Says that the result of the running command may not be kept, and why; only the first reason counts.
void forbidCaching(llvm::StringRef reason);

/// Notes what about a cc1 job no look-up shows: times that reach its result, results that differ from run to run.
void noteInvocation(const clang::CompilerInvocation &invocation);

} // namespace loom
