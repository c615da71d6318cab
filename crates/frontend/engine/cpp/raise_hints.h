// Candidate hints on their way out of a module.

#pragma once

#include "loom_engine.h"
#include "raise.h"

namespace loom::raising {

/// A hinted loop: its row in the outcome and its header.
struct HintedLoop {
  int row;
  const llvm::BasicBlock *header;
};

/// Hinted loops by their latch.
using HintedLatches = llvm::DenseMap<const llvm::BasicBlock *, HintedLoop>;

/// Relates manifests to loops, one to one, and removes both forms of metadata from `clone`. The outcome gets one row
/// for each candidate; rows whose state is `found` are still to be proved on what is recovered. Returns the latches of
/// those.
HintedLatches takeHints(llvm::Module &clone, int (*isHint)(loom_bytes), Outcome &outcome);

/// Marks the row as unproved.
void refuteHint(HintOutcome &hint, llvm::StringRef state, const llvm::Twine &message);

} // namespace loom::raising
