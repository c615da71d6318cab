// Scalar operations between the LLVM dialect and arith.

#pragma once

#include "raise.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace loom::raising {

/// Replaces scalar llvm operations by the arith operations that are exactly equal, poison and flags included;
/// returns how many.
unsigned raiseScalars(mlir::LLVM::LLVMFuncOp function);

/// Replaces every arith operation by its llvm counterpart. Fails, naming the operation, where there is none.
mlir::LogicalResult lowerScalars(mlir::LLVM::LLVMFuncOp function);

} // namespace loom::raising
