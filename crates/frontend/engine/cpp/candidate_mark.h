// The mark by which LLVM's loop is known to be a candidate.

#pragma once

#include "candidates.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

#include <optional>

namespace loom {

/// Why a mark cannot be bound to one loop.
struct Unproved {
  Refusal category;
  const char *message, *advice;
};

/// The marks that code generation left on the ways back to the beginnings of loops.
class LoopMarks {
public:
  explicit LoopMarks(llvm::Module &module);

  /// Binds the mark of `hint` to exactly one loop of `function` with exactly one latch, and fills in the end of
  /// that latch.
  std::optional<Unproved> prove(const GrantedHint &hint, llvm::Function &function,
                                llvm::FunctionAnalysisManager &analyses, llvm::Instruction *&latch);

  /// Whether a mark was left that nobody asked for.
  bool anyUnproved() const { return !branches.empty(); }

private:
  llvm::DenseMap<uint64_t, llvm::SmallVector<llvm::Instruction *, 2>> branches;
};

/// Takes the mark off the loop, gives a user's own alignment back, and adds the hint.
void replaceMark(llvm::Instruction &latch, llvm::StringRef hint);

} // namespace loom
