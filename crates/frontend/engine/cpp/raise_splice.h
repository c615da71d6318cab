// Lowered bodies back into the module that owns their functions.

#pragma once

#include "raise.h"

#include "mlir/IR/BuiltinOps.h"

namespace loom::raising {

/// Exports `lowered`, in which every function to be taken over carries spliceMark, and puts those bodies into
/// `owner`. All else of the owner stays: attributes, globals, flags, metadata, debug information. `owner` is verified.
/// On failure it is not to be used.
bool spliceBodies(mlir::ModuleOp lowered, llvm::Module &owner, Failure &failure);

} // namespace loom::raising
