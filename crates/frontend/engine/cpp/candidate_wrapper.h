// The compiler-only wrapper around a candidate loop, in LLVM.

#pragma once

#include "candidate_annotations.h"
#include "candidates.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/PassManager.h"

#include <optional>

namespace loom {

/// Why a wrapper cannot be bound to one loop.
struct Unproved {
  Refusal category;
  const char *message, *advice;
};

/// A wrapper and the loop it is bound to.
struct WrappedLoop {
  const GrantedHint *hint;
  llvm::CallInst *marker = nullptr;
  llvm::SwitchInst *selector = nullptr;
  /// The end of the loop's only latch.
  llvm::Instruction *latch = nullptr;
  /// The end of the wrapper, empty but for what follows the loop in the source; null if nothing reaches it.
  llvm::BasicBlock *end = nullptr;
};

/// Binds the wrapper of `loop.hint` in `function` to exactly one loop with exactly one latch, and fills `loop` in.
std::optional<Unproved> proveWrapper(llvm::Function &function, const Annotations &annotations,
                                     llvm::FunctionAnalysisManager &analyses, WrappedLoop &loop);

/// Removes the wrapper and gives the loop its hint. The code is then what it is without the wrapper.
void unwrap(WrappedLoop &loop);

} // namespace loom
