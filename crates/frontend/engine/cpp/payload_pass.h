// Captures the module at the end of the optimizer pipeline and embeds its payload.

#pragma once

#include "loom_engine.h"

#include <functional>

namespace llvm {
class PassBuilder;
}

namespace loom {

/// A pass-builder callback that normalizes the module after the last optimization, asks the host for its
/// frames and embeds them (decisions 15 and 16). Does nothing where the object format has no carrier
/// adapter (decision 20). `host` must outlive the pipeline.
std::function<void(llvm::PassBuilder &)> payloadCallback(const loom_compile_host &host);

} // namespace loom
