// What of a module cannot go through MLIR unharmed, judged before the import.

#pragma once

#include "raise.h"

namespace loom::raising {

/// Removes unreachable blocks of `clone`, turns switches wider than MLIR's text holds into comparisons, and judges every
/// function with a body and every initializer. `outcome` then has all functions, with the reason where one will not be
/// lifted.
void judgeModule(llvm::Module &clone, Outcome &outcome);

/// Turns what has been judged as isolated into declarations: the importer would reject or misread it.
void isolateJudged(llvm::Module &clone, const Outcome &outcome);

} // namespace loom::raising
