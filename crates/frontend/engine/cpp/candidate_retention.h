// Definitions that stay for their hints until the payload is captured.

#pragma once

#include "candidate_annotations.h"
#include "candidates.h"

#include <optional>

namespace loom {

/// What is known of the definitions with hints that code generation or the optimizer may leave out.
struct RetentionPlan {
  /// Each with whether the source has code generated for it anyway.
  std::vector<std::pair<llvm::Function *, bool>> retained;
  /// What only the hints have code generated for: such definitions, and what only they refer to.
  std::vector<llvm::GlobalValue *> temporary;
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
