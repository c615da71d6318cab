// One cc1as job, run in this process.

#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace loom {

/// Runs `clang -cc1as` on `arguments` ("-cc1as" first) and returns its exit status. Assembly has no module, so
/// its object has no payload.
int runCc1as(llvm::ArrayRef<const char *> arguments,
             llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files);

} // namespace loom
