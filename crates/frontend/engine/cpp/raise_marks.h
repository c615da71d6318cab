// Loops that have to be known again on the other side of the import.

#pragma once

#include "raise_hints.h"
#include "raise_lift.h"
#include "raise_scev.h"

#include "mlir/IR/BuiltinOps.h"

namespace loom::raising {

/// What to remember of `function`, whose hinted latches are `hinted` and whose counting latches are `counted`. Empty
/// marks if there is nothing. No block may be added or removed between this and the import.
FunctionMarks markLoops(const llvm::Function &function, const HintedLatches &hinted, const CountedLatches &counted);

/// Puts the marks on the latches of the imported function and answers with the hinted headers. False, and nothing
/// marked, unless the function's ordered edges are the ones that were remembered.
bool applyMarks(mlir::LLVM::LLVMFuncOp function, const FunctionMarks &marks, Headers &headers);

/// Judges all hints on what was recovered: each row whose state is `found` stays so only if exactly one loop bears its
/// mark. Marks are removed; with `keep` the recovered loops and functions get their unit attribute.
void proveHints(mlir::ModuleOp module, Outcome &outcome, bool keep);

} // namespace loom::raising
