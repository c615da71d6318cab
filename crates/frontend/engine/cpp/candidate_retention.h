// Definitions that stay for their hints until the payload is captured.

#pragma once

#include "candidate_annotations.h"
#include "candidates.h"

#include <optional>

namespace loom {

/// The definitions with hints that code generation or the optimizer may leave out, each with whether the source has
/// code generated for it anyway.
struct RetentionPlan {
  std::vector<std::pair<llvm::Function *, bool>> retained;
};

/// Judges the definitions that `job` retains; nothing if one is refused, which has been reported then.
std::optional<RetentionPlan> planRetention(llvm::Module &module, const Candidates &job,
                                           const Annotations &annotations);

/// Drops the list by which code was generated for them.
void dropRetainedList(llvm::Module &module);

/// Keeps them through the pipeline, by llvm.compiler.used and metadata.
void applyRetention(llvm::Module &module, const RetentionPlan &plan);

/// Leaves what the source alone gives.
void discardTemporaries(llvm::Module &module, const RetentionPlan &plan);

} // namespace loom
