// Loops that count become scf.for.

#pragma once

#include "raise.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace loom::raising {

/// Turns each scf.while of a lifted function into scf.for where the number of rounds is exact when it starts.
void countLoops(mlir::LLVM::LLVMFuncOp function, FunctionOutcome &outcome);

} // namespace loom::raising
