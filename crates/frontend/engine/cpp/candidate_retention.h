// Definitions that stay for their hints until the payload is captured.

#pragma once

#include "candidate_annotations.h"
#include "candidates.h"

#include <optional>

namespace loom {

/// A retained definition, and whether the source has code generated for it anyway.
struct Retained {
  llvm::Function *function;
  bool sourceRequired;
};

/// Judges the definitions that `job` retains; nothing if one is refused, which has been reported then.
std::optional<std::vector<Retained>> planRetention(llvm::Module &module, const Candidates &job,
                                                   const Annotations &annotations);

/// Keeps them through the pipeline, by llvm.compiler.used and metadata, instead of by the list that had code
/// generated for them.
void applyRetention(llvm::Module &module, const std::vector<Retained> &plan);

/// Ends the retention in the module that becomes the object, after its payload was captured: what only a hint kept
/// goes, with everything that only it referred to.
void releaseRetention(llvm::Module &module, Candidates &job);

} // namespace loom
