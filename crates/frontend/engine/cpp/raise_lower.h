// Structured control flow back into the LLVM dialect.

#pragma once

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace loom::raising {

/// Lowers all scf and arith operations of `function` to llvm operations. Weights and loop annotations return to the
/// branches. Fails, with a diagnostic, on an operation it does not know.
mlir::LogicalResult lowerFunction(mlir::LLVM::LLVMFuncOp function);

} // namespace loom::raising
