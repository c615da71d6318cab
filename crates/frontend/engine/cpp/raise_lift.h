// Control flow graphs of llvm.func into scf, one function at a time.

#pragma once

#include "raise.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace loom::raising {

/// The marks of hinted loops by their header's block.
using Headers = llvm::DenseMap<mlir::Block *, mlir::Attribute>;

/// Lifts the body of `function` to structured control flow, or leaves it as it was and says why in `outcome`.
/// Marks and loop annotations on latches move to the loops they close.
void liftFunction(mlir::LLVM::LLVMFuncOp function, const Headers &headers, FunctionOutcome &outcome);

/// Erases tests and constants of a lift that nothing reads. Other dead code is the program's own.
void eraseUnused(mlir::LLVM::LLVMFuncOp function);

} // namespace loom::raising
