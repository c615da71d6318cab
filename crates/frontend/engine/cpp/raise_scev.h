// Loops whose rounds scalar evolution can count.

#pragma once

#include "raise.h"

namespace loom::raising {

/// Latches with 1 or 2, see countRounds.
using CountedLatches = llvm::DenseMap<const llvm::BasicBlock *, unsigned>;

/// The latches of `function`'s loops that leave after an exact number of rounds, each with 1 where the count holds in
/// signed and 2 where it holds in unsigned arithmetic. Where the loop's own counter does not say so, it gets one.
CountedLatches countRounds(llvm::Function &function);

} // namespace loom::raising
