// A prepared module into MLIR's LLVM dialect.

#pragma once

#include "raise.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>

namespace loom::raising {

/// Imports `module`. What the importer says counts among the losses; what it says that nobody has judged yet is a
/// failure (null).
mlir::OwningOpRef<mlir::ModuleOp> importModule(std::unique_ptr<llvm::Module> module, mlir::MLIRContext &context,
                                               Outcome &outcome, Failure &failure);

} // namespace loom::raising
