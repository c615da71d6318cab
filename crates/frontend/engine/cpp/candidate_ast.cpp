// From pragmas to what they mark: every top-level declaration passes here before code is generated for it.

#include "candidate_loop.h"
#include "candidates.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclFriend.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"

using namespace clang;
using loom::CandidatePragma;
using loom::Refusal;

namespace {

/// Whether the action goes through LLVM, where hints can be projected.
bool generatesCode(frontend::ActionKind action) {
  switch (action) {
  case frontend::EmitAssembly:
  case frontend::EmitBC:
  case frontend::EmitLLVM:
  case frontend::EmitLLVMOnly:
  case frontend::EmitCodeGenOnly:
  case frontend::EmitObj:
    return true;
  default:
    return false;
  }
}

bool makesHeader(frontend::ActionKind action) {
  switch (action) {
  case frontend::GeneratePCH:
  case frontend::GenerateModule:
  case frontend::GenerateModuleInterface:
  case frontend::GenerateReducedModuleInterface:
  case frontend::GenerateHeaderUnit:
    return true;
  default:
    return false;
  }
}

/// The declaration that follows a place first, anywhere below another.
class FirstDeclaration : public DynamicRecursiveASTVisitor {
public:
  FirstDeclaration(SourceLocation place, const SourceManager &sources) : place(place), sources(sources) {
    ShouldVisitImplicitCode = false;
    ShouldVisitTemplateInstantiations = false;
  }

  Decl *first = nullptr;

  bool VisitDecl(Decl *declaration) override {
    SourceLocation begin = sources.getExpansionLoc(declaration->getBeginLoc());
    if (begin.isInvalid() || declaration->isImplicit() || sources.isBeforeInTranslationUnit(begin, place))
      return true;
    if (!first || sources.isBeforeInTranslationUnit(begin, sources.getExpansionLoc(first->getBeginLoc())))
      first = declaration;
    return true;
  }

private:
  SourceLocation place;
  const SourceManager &sources;
};

/// Where a hint may not stand or what it may not mark.
struct Verdict {
  Refusal category;
  std::string message;
  const char *advice;
  SourceLocation target;
};

class CandidateConsumer : public SemaConsumer {
public:
  CandidateConsumer(loom::Candidates &job, CompilerInstance &instance)
      : job(job), instance(instance), sources(instance.getSourceManager()),
        action(instance.getFrontendOpts().ProgramAction) {
    log.header = &instance != &job.instance || makesHeader(action);
    job.logs[&instance.getPreprocessor()] = &log;
  }

  ~CandidateConsumer() override {
    if (loom::Candidates::current() == &job && instance.hasPreprocessor())
      job.logs.erase(&instance.getPreprocessor());
  }

  void InitializeSema(Sema &it) override { sema = &it; }
  void ForgetSema() override { sema = nullptr; }

  bool HandleTopLevelDecl(DeclGroupRef group) override {
    // What nobody wrote, such as the using directive of an unnamed namespace, is not what a pragma means.
    llvm::SmallVector<Decl *, 2> written;
    for (Decl *declaration : group)
      if (!declaration->isImplicit() && !declaration->isFromASTFile() && declaration->getBeginLoc().isValid())
        written.push_back(declaration);
    if (!job.granted.empty())
      dropInherited(single(written));
    if (!log.pending.empty() && !written.empty())
      claim(written);
    return true;
  }

  void HandleInterestingDecl(DeclGroupRef) override {}

  void HandleTranslationUnit(ASTContext &) override {
    for (const CandidatePragma &pragma : std::exchange(log.pending, {}))
      refuse(pragma, {Refusal::Placement, "nothing follows this candidate",
                      "put the pragma directly before a function definition or a loop", {}});
    if (!job.retained.empty() && sema)
      emitRetained();
  }

private:
  /// What a source declares at once.
  using Written = llvm::ArrayRef<Decl *>;

  loom::Candidates &job;
  CompilerInstance &instance;
  const SourceManager &sources;
  frontend::ActionKind action;
  Sema *sema = nullptr;
  loom::PragmaLog log;
  uint64_t marker = 0;

  bool before(SourceLocation left, SourceLocation right) const {
    return sources.isBeforeInTranslationUnit(left, right);
  }

  void refuse(const CandidatePragma &pragma, const Verdict &verdict) {
    loom::refuse(instance.getDiagnostics(), verdict.category, pragma.at, verdict.message, verdict.target,
                 verdict.advice);
  }

  /// Judges the pragmas whose next token belongs to `group`. The parser is one token ahead, so later ones may be
  /// waiting too.
  void claim(Written group) {
    SourceLocation begin = sources.getExpansionLoc(group.front()->getBeginLoc());
    SourceLocation end = begin;
    for (const Decl *declaration : group)
      if (SourceLocation its = sources.getExpansionRange(declaration->getEndLoc()).getEnd();
          its.isValid() && before(end, its))
        end = its;
    llvm::SmallVector<CandidatePragma, 4> claimed, later;
    for (const CandidatePragma &pragma : log.pending)
      (pragma.next.isInvalid() || before(end, sources.getExpansionLoc(pragma.next)) ? later : claimed)
          .push_back(pragma);
    log.pending = std::move(later);
    for (const CandidatePragma &pragma : claimed) {
      auto same = [&](const CandidatePragma &other) { return other.next == pragma.next; };
      std::optional<Verdict> verdict;
      if (llvm::count_if(claimed, same) > 1)
        verdict = Verdict{Refusal::Placement, "several candidates before one function or loop",
                          "one '#pragma loom candidate' is enough; remove the others", pragma.next};
      else if (pragma.fromMacro)
        verdict = Verdict{Refusal::Construct, "what follows this candidate begins in a macro",
                          "spell the first token of the function or loop out", pragma.next};
      else if (before(pragma.at, begin))
        verdict = judgeBefore(group, pragma);
      else
        verdict = judgeInside(group, pragma);
      if (verdict)
        refuse(pragma, *verdict);
    }
  }

  /// The only declaration of `group`, with the linkage specification of a single declaration taken off.
  static Decl *single(Written group) {
    if (group.size() != 1)
      return nullptr;
    Decl *declaration = group.front();
    if (auto *linkage = dyn_cast<LinkageSpecDecl>(declaration); linkage && !linkage->hasBraces()) {
      auto inner = linkage->decls();
      return std::distance(inner.begin(), inner.end()) == 1 ? *inner.begin() : nullptr;
    }
    return declaration;
  }

  /// A later declaration inherits annotations, and code generation would take its place for that of the definition.
  static void dropInherited(Decl *declaration) {
    auto *function = dyn_cast_or_null<FunctionDecl>(declaration);
    if (!function || function->doesThisDeclarationHaveABody() || !function->hasAttr<AnnotateAttr>())
      return;
    llvm::erase_if(function->getAttrs(), [](const Attr *attribute) {
      auto *annotation = dyn_cast<AnnotateAttr>(attribute);
      return annotation && annotation->isInherited() &&
             annotation->getAnnotation().starts_with(loom::annotationPrefix);
    });
    if (function->getAttrs().empty())
      function->dropAttrs();
  }

  /// Why `function` is outside the admitted domain, or null.
  static const char *unsupported(const FunctionDecl *function) {
    if (isa<CXXMethodDecl>(function))
      return "a member function cannot be a candidate, nor can its loops";
    if (function->getTemplatedKind() != FunctionDecl::TK_NonTemplate)
      return "a function template cannot be a candidate, nor can its loops";
    const DeclContext *owner = function->getDeclContext();
    while (auto *linkage = dyn_cast<LinkageSpecDecl>(owner)) {
      if (linkage->hasBraces())
        return "a function in a linkage block cannot be a candidate, nor can its loops";
      owner = linkage->getDeclContext();
    }
    if (!owner->isTranslationUnit())
      return "a member of a namespace cannot be a candidate, nor can its loops";
    if (function->isMultiVersion())
      return "a function with several versions cannot be a candidate, nor can its loops";
    if (function->hasAttr<CUDAGlobalAttr>() || function->hasAttr<CUDADeviceAttr>())
      return "a device function cannot be a candidate, nor can its loops";
    if (const Module *module = function->getOwningModule(); module && module->isInterfaceOrPartition())
      return "a function of a module interface cannot be a candidate, nor can its loops";
    return nullptr;
  }

  static constexpr const char *freeFunctions =
      "candidates are function definitions at file scope and the loops in them; move the code into one";

  std::optional<Verdict> judgeBefore(Written group, const CandidatePragma &pragma) {
    Decl *target = single(group);
    if (auto *pattern = dyn_cast_or_null<FunctionTemplateDecl>(target))
      target = pattern->getTemplatedDecl();
    auto *function = dyn_cast_or_null<FunctionDecl>(target);
    // Between the pragma and the definition there is nothing but its attributes.
    const bool direct = target && (pragma.startsAttributes() ||
                                   pragma.next == sources.getExpansionLoc(group.front()->getBeginLoc()));
    if (!function || !function->doesThisDeclarationHaveABody() || !direct)
      return Verdict{Refusal::Placement, "this candidate stands before neither a function definition nor a loop",
                     "put the pragma directly before the definition or loop it means", pragma.next};
    if (const char *reason = unsupported(function))
      return Verdict{Refusal::Construct, reason, freeFunctions, function->getLocation()};
    return accept(function, function->getBeginLoc(), endOf(function->getEndLoc(), false), pragma, nullptr);
  }

  std::optional<Verdict> judgeInside(Written group, const CandidatePragma &pragma) {
    Decl *around = nullptr;
    for (Decl *declaration : group)
      if (!before(pragma.at, sources.getExpansionLoc(declaration->getBeginLoc())) &&
          !before(sources.getExpansionRange(declaration->getEndLoc()).getEnd(), pragma.at))
        around = declaration;
    Decl *owner = group.size() == 1 ? single(group) : around;
    if (auto *pattern = dyn_cast_or_null<FunctionTemplateDecl>(owner))
      owner = pattern->getTemplatedDecl();
    auto *function = dyn_cast_or_null<FunctionDecl>(owner);
    const bool admitted = function && function->doesThisDeclarationHaveABody() && !unsupported(function);
    if (admitted && pragma.startsAttributes())
      if (std::optional<SourceLocation> keyword = loom::attributedLoop(function->getBody(), pragma.next, sources))
        return judgeLoop(function, pragma, *keyword);
    if (!admitted || !pragma.startsLoop()) {
      if (pragma.startsLoop() && around)
        return Verdict{Refusal::Construct,
                       function && unsupported(function) ? unsupported(function)
                                                         : "the function of this loop is not at file scope",
                       freeFunctions, pragma.next};
      FirstDeclaration search(pragma.at, sources);
      if (around)
        search.TraverseDecl(around);
      if (auto *befriended = dyn_cast_or_null<FriendDecl>(search.first))
        search.first = befriended->getFriendDecl();
      if (auto *pattern = dyn_cast_or_null<FunctionTemplateDecl>(search.first))
        search.first = pattern->getTemplatedDecl();
      // Only what begins with the next token is meant.
      if (auto *inner = dyn_cast_or_null<FunctionDecl>(search.first);
          inner && inner->doesThisDeclarationHaveABody() && !before(inner->getLocation(), pragma.next) &&
          !before(inner->getEndLoc(), pragma.next))
        return Verdict{Refusal::Construct,
                       unsupported(inner) ? unsupported(inner) : "this function is not at file scope",
                       freeFunctions, inner->getLocation()};
      return Verdict{Refusal::Placement, "this candidate stands before neither a function definition nor a loop",
                     "put the pragma directly before the definition or loop it means", pragma.next};
    }
    return judgeLoop(function, pragma, pragma.next);
  }

  std::optional<Verdict> judgeLoop(FunctionDecl *function, const CandidatePragma &pragma, SourceLocation keyword) {
    Stmt *body = function->getBody();
    loom::FoundLoop found = loom::findLoop(body, keyword, sources);
    if (found.endOf)
      return Verdict{Refusal::Placement, "this 'while' ends a loop that began before the candidate",
                     "put the pragma before the 'do'", found.endOf->getBeginLoc()};
    if (!found.loop && before(keyword, body->getBeginLoc()))
      return Verdict{Refusal::Construct, "a loop before the body of a function belongs to another function",
                     freeFunctions, pragma.next};
    if (!found.loop)
      return Verdict{Refusal::Projection, "the loop that follows this candidate is not in the function's body",
                     "put the pragma directly before a loop of the function itself", pragma.next};
    if (found.callable)
      return Verdict{Refusal::Construct,
                     std::string("a loop inside ") + found.callable + " belongs to another function", freeFunctions,
                     pragma.next};
    if (const SwitchCase *label = loom::foreignLabel(found.loop))
      return Verdict{Refusal::Construct, "a label of a switch around this loop lies in its body",
                     "close the loop before this label", label->getBeginLoc()};
    if (found.isNamed)
      return Verdict{Refusal::Construct, "'break' or 'continue' uses the name of this loop",
                     "leave or continue the loop by 'goto'", pragma.next};
    const CodeGenOptions &options = instance.getCodeGenOpts();
    if (generatesCode(action) &&
        (options.hasProfileClangInstr() || options.hasProfileClangUse() || options.CoverageMapping))
      return Verdict{Refusal::Construct, "profiles that count statements would count the loop's marker",
                     "profile on the level of LLVM (-fprofile-generate), or mark the function instead",
                     pragma.next};
    return accept(function, found.loop->getBeginLoc(), endOf(found.loop->getEndLoc(), true), pragma, &found);
  }

  /// One past the last token at `last`. A statement may own the semicolon that follows. Invalid if a macro ends it.
  SourceLocation endOf(SourceLocation last, bool statement) const {
    const LangOptions &language = instance.getLangOpts();
    SourceLocation end = last;
    bool fromMacro = false;
    if (last.isMacroID()) {
      fromMacro = true;
      if (!Lexer::isAtEndOfMacroExpansion(last, sources, language, &end))
        return {};
    }
    if (statement) {
      Token token;
      bool closed = !fromMacro && !Lexer::getRawToken(end, token, sources, language) &&
                    token.isOneOf(tok::semi, tok::r_brace);
      if (!closed) {
        SourceLocation semicolon =
            Lexer::findLocationAfterToken(end, tok::semi, sources, language, /*SkipTrailing=*/false);
        if (semicolon.isValid())
          return semicolon;
      }
    }
    return fromMacro ? SourceLocation() : Lexer::getLocForEndOfToken(end, 0, sources, language);
  }

  /// Grants the hint on the function, or on a loop of it.
  std::optional<Verdict> accept(FunctionDecl *function, SourceLocation begin, SourceLocation end,
                                const CandidatePragma &pragma, loom::FoundLoop *loop) {
    if (begin.isMacroID() || end.isInvalid() || end.isMacroID())
      return Verdict{Refusal::Construct, "what follows this candidate begins or ends in a macro",
                     "spell the first and the last token of the function or loop out", begin};
    const SourceLocation places[] = {function->getLocation(), pragma.at, begin, end};
    PresumedLoc presumed[4];
    uint32_t positions[8];
    for (unsigned i = 0; i < 4; ++i) {
      presumed[i] = sources.getPresumedLoc(places[i]);
      if (presumed[i].isInvalid())
        return Verdict{Refusal::Projection, "the positions of this candidate are not known",
                       "keep the pragma and what it marks in one file", begin};
      positions[2 * i] = presumed[i].getLine();
      positions[2 * i + 1] = presumed[i].getColumn();
    }
    llvm::StringRef file = presumed[1].getFilename();
    if (file != presumed[0].getFilename() || file != presumed[2].getFilename() ||
        file != presumed[3].getFilename())
      return Verdict{Refusal::Placement, "this candidate and what it marks are in different files",
                     "put the pragma directly before the function or loop, in the same file", begin};
    if (llvm::is_contained(llvm::ArrayRef(positions), 0u) || file.empty())
      return Verdict{Refusal::Projection, "the positions of this candidate cannot be recorded",
                     "let #line directives count from 1 and name a file", begin};
    if (!job.carrier) {
      warnWithoutCarrier(pragma);
      return std::nullopt;
    }
    if (!generatesCode(action))
      return std::nullopt;
    if (instance.getCodeGenOpts().DisableLLVMPasses)
      return Verdict{Refusal::Construct, "without LLVM's passes a candidate cannot be projected",
                     "compile without -disable-llvm-passes, or leave the pragma out", begin};
    return grant(function, pragma, loop, file, positions, begin);
  }

  std::optional<Verdict> grant(FunctionDecl *function, const CandidatePragma &pragma, loom::FoundLoop *loop,
                               llvm::StringRef file, const uint32_t (&positions)[8], SourceLocation begin) {
    if (loop && marker == loom::lastMarker)
      return Verdict{Refusal::Projection, "too many candidate loops in one translation unit",
                     "split the source", begin};
    job.grant({"", loop ? ++marker : 0, file.str(), positions[0], pragma.at, begin}, positions);
    const loom::GrantedHint &hint = job.granted.back();
    ASTContext &context = instance.getASTContext();
    if (loop)
      loom::markLoop(context, *loop->slot, hint.marker, pragma.at);
    function->addAttr(AnnotateAttr::CreateImplicit(context, hint.text, nullptr, 0));
    if (isDeferred(function) && !llvm::is_contained(job.retained, function)) {
      job.retained.push_back(function);
      job.retainedFor.push_back(pragma.at);
    }
    return std::nullopt;
  }

  /// Whether code for the definition may be left out or dropped, and the module that would lose it is kept.
  bool isDeferred(const FunctionDecl *function) const {
    bool kept = job.capturesPayload || action == frontend::EmitBC || action == frontend::EmitLLVM;
    if (!kept || function->hasAttr<UsedAttr>() || function->hasAttr<RetainAttr>())
      return false;
    switch (instance.getASTContext().GetGVALinkageForFunction(function)) {
    case GVA_Internal:
    case GVA_DiscardableODR:
      return true;
    default:
      return false;
    }
  }

  /// Lists the retained definitions in a variable, so that code is generated for them: after all others that the
  /// source itself asks for, in the order of the source.
  void emitRetained() {
    ASTContext &context = instance.getASTContext();
    TranslationUnitDecl *unit = context.getTranslationUnitDecl();
    llvm::SmallVector<Expr *, 8> addresses;
    for (FunctionDecl *function : job.retained) {
      auto *reference = DeclRefExpr::Create(context, NestedNameSpecifierLoc(), SourceLocation(), function,
                                            /*RefersToEnclosingVariableOrCapture=*/false, function->getLocation(),
                                            function->getType(), VK_LValue);
      QualType pointer = context.getPointerType(function->getType());
      Expr *address = ImplicitCastExpr::Create(context, pointer, CK_FunctionToPointerDecay, reference, nullptr,
                                               VK_PRValue, FPOptionsOverride());
      addresses.push_back(ImplicitCastExpr::Create(context, context.VoidPtrTy, CK_BitCast, address, nullptr,
                                                   VK_PRValue, FPOptionsOverride()));
    }
    llvm::APInt count(context.getTypeSize(context.getSizeType()), addresses.size());
    QualType type =
        context.getConstantArrayType(context.VoidPtrTy, count, nullptr, ArraySizeModifier::Normal, 0);
    auto *list = new (context) InitListExpr(context, SourceLocation(), addresses, SourceLocation());
    list->setType(type);
    auto *variable = VarDecl::Create(context, unit, SourceLocation(), SourceLocation(),
                                     &context.Idents.get(loom::retainedName), type,
                                     context.getTrivialTypeSourceInfo(type), SC_Static);
    variable->setInit(list);
    variable->setInitStyle(VarDecl::CInit);
    variable->addAttr(UsedAttr::CreateImplicit(context));
    variable->addAttr(AsmLabelAttr::CreateImplicit(context, loom::retainedName));
    variable->setImplicit();
    variable->setReferenced();
    unit->addDecl(variable);
    sema->getASTConsumer().HandleTopLevelDecl(DeclGroupRef(variable));
  }

  void warnWithoutCarrier(const CandidatePragma &pragma) {
    DiagnosticsEngine &diagnostics = instance.getDiagnostics();
    unsigned id = diagnostics.getDiagnosticIDs()->getCustomDiagID(
        DiagnosticIDs::CustomDiagDesc(diag::Severity::Warning,
                                      "objects for '%0' cannot carry a payload; this candidate has no effect",
                                      DiagnosticIDs::CLASS_WARNING, /*ShowInSystemHeader=*/false,
                                      /*ShowInSystemMacro=*/false, diag::Group::IgnoredPragmas));
    diagnostics.Report(pragma.at, id) << instance.getTargetOpts().Triple;
  }
};

/// Puts a consumer in front of the one of the action.
class CandidateAction : public PluginASTAction {
public:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &instance, llvm::StringRef) override {
    loom::Candidates *job = loom::Candidates::current();
    if (!job || !instance.hasPreprocessor())
      return std::make_unique<ASTConsumer>();
    return std::make_unique<CandidateConsumer>(*job, instance);
  }
  bool ParseArgs(const CompilerInstance &, const std::vector<std::string> &) override { return true; }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

} // namespace

void loom::registerCandidateConsumer() {
  static FrontendPluginRegistry::Add<CandidateAction> action("loom-candidate", "hints for Loom");
}
