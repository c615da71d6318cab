// What MLIR does not represent of a module.

#pragma once

#include "raise.h"

namespace loom::raising {

/// Counts in `outcome.losses`, by kind, everything of `module` that the importer drops or changes. False, with
/// `failure`, for something of which nobody has found out what the importer does with it.
bool takeCensus(const llvm::Module &module, Outcome &outcome, Failure &failure);

} // namespace loom::raising
