// Candidate loops in the syntax tree.

#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"

#include <optional>

namespace loom {

/// What stands at the loop keyword that follows a pragma.
struct FoundLoop {
  /// The statement, null if there is none.
  clang::Stmt *loop = nullptr;
  /// Where it hangs with its own attributes.
  clang::Stmt **slot = nullptr;
  /// The keyword is the `while` that ends this statement.
  clang::Stmt *endOf = nullptr;
  /// `break` or `continue` names it, which code generation does not find behind attributes.
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

/// Puts an attribute around the loop in `slot` that no source can spell: an alignment that stands for `marker` and
/// keeps the user's own.
void markLoop(clang::ASTContext &context, clang::Stmt *&slot, uint64_t marker, clang::SourceLocation pragma);

} // namespace loom
