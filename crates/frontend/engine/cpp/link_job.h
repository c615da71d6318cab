// Link jobs that are watched.

#pragma once

#include "clang/Driver/Job.h"

#include <memory>

namespace loom {

/// `job` as a watched one; null if it is no link or nobody watches.
std::unique_ptr<clang::driver::Command> observeLink(const clang::driver::Command &job);

} // namespace loom
