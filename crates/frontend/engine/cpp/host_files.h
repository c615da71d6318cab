// A read-only file system whose every look-up is answered, and thereby logged, by the host.

#pragma once

#include "loom_engine.h"

#include "llvm/Support/VirtualFileSystem.h"

namespace loom {

/// The host's world as clang sees it: relative paths start at `cwd`, every file has the modification time
/// `clock` (decision 11: __TIMESTAMP__ reads the clock input).
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> makeHostFiles(const loom_compile_host &host,
                                                              llvm::StringRef cwd, uint64_t clock);

} // namespace loom
