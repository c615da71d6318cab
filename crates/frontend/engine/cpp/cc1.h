// One cc1 job, run in this process.

#pragma once

#include "loom_engine.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace loom {

/// Runs `clang -cc1` on `arguments` (without program name, "-cc1" first). `program` names the driver
/// executable, `files` is the file system to read from. With worker callbacks in `host`, outputs and messages
/// go there. `payload` embeds one if the invocation makes code. `last` says that the process ends after this
/// job, so clang need not free its memory. Returns clang's exit status.
int runCc1(llvm::ArrayRef<const char *> arguments, const char *program, const loom_compile_host &host,
           llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files, uint64_t clock, bool payload, bool last);

} // namespace loom
