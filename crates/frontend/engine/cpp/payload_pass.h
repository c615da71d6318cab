// Captures the module at the end of the optimizer pipeline and embeds its payload.

#pragma once

#include "loom_engine.h"

#include <functional>

namespace llvm {
class PassBuilder;
}

namespace loom {

class RetainingCopy;

/// A pass-builder callback that normalizes the module after the last optimization, asks the host for its
/// frames and embeds them (decisions 15 and 16). Does nothing where the object format has no carrier
/// adapter (decision 20). `host` must outlive the pipeline. `isolated` normalizes in a forked copy of this
/// process whose LLVM options are back at their defaults: what `-mllvm` does to a module is in the payload,
/// how a module is read and written never depends on it (decision 43). Where a copy of the process captured a
/// module with retained definitions, its answer is taken.
std::function<void(llvm::PassBuilder &)> payloadCallback(const loom_compile_host &host, RetainingCopy &retaining,
                                                         bool isolated);

} // namespace loom
