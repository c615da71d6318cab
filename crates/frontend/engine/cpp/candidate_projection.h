// Hints from annotations and marks to metadata, where the LLVM pipeline begins.

#pragma once

#include "candidates.h"

#include <functional>

namespace llvm {
class PassBuilder;
}

namespace loom {

/// A pass-builder callback that proves and removes what the front end left for the granted hints of `job`, once per
/// module: function hints and the manifest of loops become function metadata, each loop's hint a property of its
/// metadata node. Annotations that only look like Loom's are refused. Without any of them the module stays as it
/// is. `job` must outlive the pipeline.
std::function<void(llvm::PassBuilder &)> projectionCallback(Candidates &job);

} // namespace loom
