// Candidate loops in the syntax tree.

#pragma once

#include "clang/AST/Stmt.h"
#include "clang/Sema/Sema.h"

#include <optional>

namespace loom {

/// What stands at the loop keyword that follows a pragma.
struct FoundLoop {
  /// The statement, null if there is none.
  clang::Stmt *loop = nullptr;
  /// Where it hangs with its own attributes, and where it hangs with everything that modifies it.
  clang::Stmt **slot = nullptr, **outermost = nullptr;
  /// The keyword is the `while` that ends this statement.
  clang::Stmt *endOf = nullptr;
  /// `break` or `continue` names it, so nothing may come between the loop and its name.
  bool isNamed = false;
  /// It is the body of something that becomes a function of its own: "a lambda", ...
  const char *callable = nullptr;
};

/// Looks through `body` for the loop whose keyword is at `keyword`.
FoundLoop findLoop(clang::Stmt *&body, clang::SourceLocation keyword, const clang::SourceManager &sources);

/// The keyword of the loop whose attributes begin at `place`, or nothing.
std::optional<clang::SourceLocation> attributedLoop(clang::Stmt *body, clang::SourceLocation place,
                                                    const clang::SourceManager &sources);

/// A `case` or `default` below `loop` that belongs to a switch around it, or null.
const clang::SwitchCase *foreignLabel(const clang::Stmt *loop);

/// Puts the compiler-only wrapper around the loop: `switch (__builtin_annotation(0, marker)) default: loop`,
/// outside everything that modifies the loop, and marks the loop itself with an alignment that stands for
/// `marker`. False if the builtin cannot be called.
bool wrapLoop(clang::Sema &sema, const FoundLoop &found, clang::SourceLocation pragma, llvm::StringRef markerText,
              uint64_t marker, bool constantEvaluated);

} // namespace loom
