// The jobs of a driver command, turned into jobs that the engine runs itself.

#pragma once

#include "loom_engine.h"

#include "clang/Driver/Compilation.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace loom {

/// Whether the result of `job` is, or becomes, an object that carries a payload: an object, the assembly that
/// another job of this command assembles, or an LTO module. Device code of offloading carries none.
bool carriesPayload(const clang::driver::Command &job, const clang::driver::Compilation &compilation);

/// Runs the job with the given arguments, "-cc1" or "-cc1as" first.
using RunJob = llvm::function_ref<int(llvm::ArrayRef<const char *> arguments, bool payload, bool last)>;

/// Replaces every cc1 and cc1as job by one that runs in this process through `run`, which must outlive the
/// compilation, however clang itself would have started it (decision 7). `separate` starts the engine anew for
/// each (-fno-integrated-cc1, process statistics), with `#pragma loom candidate` if `candidates`. What -v prints stays clang's.
void takeOverJobs(clang::driver::Compilation &compilation, RunJob run, bool separate, bool candidates);

} // namespace loom
