// Candidate loops in the syntax tree: how they are found and how they are marked for code generation.

#include "candidate_loop.h"

#include "candidates.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenACC.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace {

bool isLoop(const Stmt *statement) {
  return isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(statement);
}

/// What stands directly around a statement: the slot of its attributes and the first of its labels. Null where there
/// is nothing.
struct Around {
  Stmt **attributes = nullptr;
  LabelStmt *label = nullptr;
};

/// Whether `break` or `continue` below `statement` names one of `labels`.
bool isNamed(const Stmt *statement, const Stmt *labels) {
  const Stmt *jump = statement;
  if (isa<BreakStmt, ContinueStmt>(jump) && cast<LoopControlStmt>(jump)->hasLabelTarget())
    for (const Stmt *at = labels; const auto *label = dyn_cast<LabelStmt>(at); at = label->getSubStmt())
      if (label->getDecl() == cast<LoopControlStmt>(jump)->getLabelDecl())
        return true;
  return llvm::any_of(statement->children(), [&](const Stmt *child) { return child && isNamed(child, labels); });
}

/// Walks a body until the loop is found.
class LoopSearch {
public:
  LoopSearch(SourceLocation keyword, const SourceManager &sources) : keyword(keyword), sources(sources) {}

  loom::FoundLoop found;

  bool visit(Stmt *&slot, Around around) {
    Stmt *statement = slot;
    if (!statement)
      return false;
    if (isLoop(statement) && at(statement->getBeginLoc())) {
      found.loop = statement;
      found.slot = around.attributes ? around.attributes : &slot;
      found.isNamed = around.label && isNamed(statement, around.label);
      return true;
    }
    if (auto *loop = dyn_cast<DoStmt>(statement); loop && at(loop->getWhileLoc())) {
      found.endOf = loop;
      return true;
    }
    if (auto *attributed = dyn_cast<AttributedStmt>(statement))
      return visit(*attributed->child_begin(), {&slot, around.label});
    if (auto *label = dyn_cast<LabelStmt>(statement))
      return visit(*label->child_begin(), {nullptr, around.label ? around.label : label});
    if (auto *directive = dyn_cast<OMPExecutableDirective>(statement))
      return visitDirective(directive);
    if (isa<OpenACCConstructStmt>(statement))
      return inCallable("an OpenACC region", [&] { return visitChildren(statement); });
    if (auto *captured = dyn_cast<CapturedStmt>(statement))
      return inCallable("a captured region", [&] { return visitCaptured(captured); });
    if (isa<LambdaExpr>(statement))
      return inCallable("a lambda", [&] { return visitChildren(statement); });
    if (auto *block = dyn_cast<BlockExpr>(statement))
      return inCallable("a block", [&] { return visitCopy(block->getBody()); });
    if (auto *declaration = dyn_cast<DeclStmt>(statement); declaration && visitLocalClasses(declaration))
      return true;
    return visitChildren(statement);
  }

private:
  SourceLocation keyword;
  const SourceManager &sources;

  bool at(SourceLocation place) const { return sources.getExpansionLoc(place) == keyword; }

  bool visitChildren(Stmt *statement) {
    return llvm::any_of(statement->children(), [&](Stmt *&child) { return visit(child, {}); });
  }

  bool visitCopy(Stmt *statement) { return visit(statement, {}); }

  bool inCallable(const char *what, llvm::function_ref<bool()> search, bool rename = false) {
    if (!search())
      return false;
    if (!found.callable || rename)
      found.callable = what;
    return true;
  }

  /// `omp simd` keeps its loop in the function; all other directives may move it into another.
  bool visitDirective(OMPExecutableDirective *directive) {
    if (!directive->hasAssociatedStmt() || !directive->getAssociatedStmt())
      return false;
    auto *captured = dyn_cast<CapturedStmt>(directive->getAssociatedStmt());
    if (!isa<OMPSimdDirective>(directive) || !captured)
      return inCallable("an OpenMP region", [&] { return visitChildren(directive); }, /*rename=*/true);
    return visitCaptured(directive->getInnermostCapturedStmt());
  }

  /// The captured statement hangs behind the initial values of the captures.
  bool visitCaptured(CapturedStmt *captured) {
    auto *slot = reinterpret_cast<Stmt **>(captured->capture_init_end());
    if (*slot != captured->getCapturedStmt() || !visit(*slot, {}))
      return false;
    captured->getCapturedDecl()->setBody(captured->getCapturedStmt());
    return true;
  }

  bool visitLocalClasses(DeclStmt *statement) {
    for (Decl *declaration : statement->decls())
      if (auto *record = dyn_cast<CXXRecordDecl>(declaration))
        for (CXXMethodDecl *method : record->methods())
          if (method->doesThisDeclarationHaveABody() &&
              inCallable("a member function", [&] { return visitCopy(method->getBody()); }))
            return true;
    return false;
  }
};

} // namespace

loom::FoundLoop loom::findLoop(Stmt *&body, SourceLocation keyword, const SourceManager &sources) {
  LoopSearch search(keyword, sources);
  search.visit(body, {});
  return search.found;
}

std::optional<SourceLocation> loom::attributedLoop(Stmt *body, SourceLocation place,
                                                   const SourceManager &sources) {
  if (!body)
    return std::nullopt;
  if (isa<AttributedStmt>(body) && sources.getExpansionLoc(body->getBeginLoc()) == place) {
    const Stmt *inner = body;
    while (const auto *attributed = dyn_cast<AttributedStmt>(inner))
      inner = attributed->getSubStmt();
    return isLoop(inner) ? std::optional(inner->getBeginLoc()) : std::nullopt;
  }
  for (Stmt *child : body->children())
    if (std::optional<SourceLocation> found = attributedLoop(child, place, sources))
      return found;
  return std::nullopt;
}

const SwitchCase *loom::foreignLabel(const Stmt *loop) {
  for (const Stmt *child : loop->children()) {
    if (!child || isa<SwitchStmt, LambdaExpr>(child))
      continue;
    if (const auto *label = dyn_cast<SwitchCase>(child))
      return label;
    if (const SwitchCase *label = foreignLabel(child))
      return label;
  }
  return nullptr;
}

void loom::markLoop(ASTContext &context, Stmt *&slot, uint64_t marker, SourceLocation pragma) {
  Stmt *loop = slot;
  uint64_t alignment = 0;
  // Attributes in front of a loop belong to the loop only where they are its direct parent, so they are merged.
  llvm::SmallVector<const Attr *, 4> attributes;
  if (auto *attributed = dyn_cast<AttributedStmt>(slot)) {
    loop = attributed->getSubStmt();
    for (const Attr *attribute : attributed->getAttrs())
      if (auto *align = dyn_cast<CodeAlignAttr>(attribute))
        alignment = cast<ConstantExpr>(align->getAlignment())->getResultAsAPSInt().getZExtValue();
      else
        attributes.push_back(attribute);
  }
  llvm::APInt bits(32, marker << alignmentBits | alignment);
  Expr *number = IntegerLiteral::Create(context, bits, context.UnsignedIntTy, pragma);
  attributes.push_back(CodeAlignAttr::CreateImplicit(
      context, ConstantExpr::Create(context, number, APValue(llvm::APSInt(bits, /*isUnsigned=*/true)))));
  slot = AttributedStmt::Create(context, slot->getBeginLoc(), attributes, loop);
}
