// `#pragma loom candidate` in every preprocessor of this process.

#include "candidates.h"

#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace {

/// Owns the whole namespace `loom` of pragmas. What follows the pragma is looked at when the parser gets it, never
/// lexed ahead: neither other pragmas nor macros behave differently for the hint.
class CandidateHandler : public PragmaHandler {
public:
  CandidateHandler() : PragmaHandler("loom") {}

  void HandlePragma(Preprocessor &preprocessor, PragmaIntroducer introducer, Token &) override {
    loom::Candidates *job = loom::Candidates::current();
    if (!job)
      return;
    auto refuse = [&](loom::Refusal category, SourceLocation where, llvm::StringRef message,
                      llvm::StringRef advice) {
      loom::refuse(preprocessor.getDiagnostics(), category, where, message, {}, advice);
    };

    Token word;
    preprocessor.LexUnexpandedToken(word);
    const IdentifierInfo *name = word.isAnnotation() ? nullptr : word.getIdentifierInfo();
    if (!name || name->getName() != "candidate")
      return refuse(loom::Refusal::Encoding, word.getLocation(), "expected 'candidate' after '#pragma loom'",
                    "the only pragma of this name is '#pragma loom candidate'");
    if (introducer.Kind != PIK_HashPragma || introducer.Loc.isMacroID())
      return refuse(loom::Refusal::Construct, introducer.Loc,
                    "a candidate cannot be marked by an operator or a macro",
                    "write '#pragma loom candidate' on a line of its own before the function or loop");
    Token behind;
    preprocessor.LexUnexpandedToken(behind);
    if (behind.isNot(tok::eod))
      return refuse(loom::Refusal::Encoding, behind.getLocation(), "'#pragma loom candidate' takes no arguments",
                    "remove everything behind 'candidate'");

    loom::PragmaLog *log = job->logs.lookup(&preprocessor);
    if (!log)
      return refuse(loom::Refusal::Construct, introducer.Loc,
                    "preprocessing alone cannot keep the source range of a candidate",
                    "compile the source in one step, without -E, -M or -save-temps, or leave the pragma out");
    if (log->header)
      return refuse(loom::Refusal::Construct, introducer.Loc,
                    "a candidate in a precompiled header or module would be lost",
                    "move the function into a source file, or include the header as text");
    loom::CandidatePragma pragma;
    pragma.at = introducer.Loc;
    log->pending.push_back(pragma);
    preprocessor.setTokenWatcher([log](const Token &token) { log->follow(token); });
  }
};

} // namespace

void loom::registerCandidatePragma() {
  static PragmaHandlerRegistry::Add<CandidateHandler> handler("loom", "hints for Loom");
}
