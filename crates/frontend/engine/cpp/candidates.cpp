// The candidate hints of one cc1 job.

#include "candidates.h"

#include "bytes.h"

#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Lex/Token.h"

using namespace clang;

static loom::Candidates *running = nullptr;

llvm::StringRef loom::spelling(Refusal category) {
  switch (category) {
  case Refusal::Encoding:
    return "candidate_hint_invalid_encoding";
  case Refusal::Placement:
    return "candidate_hint_invalid_placement";
  case Refusal::Construct:
    return "candidate_hint_unsupported_construct";
  case Refusal::Projection:
    return "candidate_hint_projection_proof_not_established";
  }
  llvm_unreachable("all categories are named");
}

void loom::refuse(DiagnosticsEngine &diagnostics, Refusal category, SourceLocation where,
                  const llvm::Twine &message, SourceLocation target, llvm::StringRef advice) {
  if (running)
    running->refused = true;
  auto id = [&](DiagnosticIDs::Level level, const llvm::Twine &format) {
    return diagnostics.getDiagnosticIDs()->getCustomDiagID(level, format.str());
  };
  // One id for each category, whatever the message, so that reports can name a rule.
  diagnostics.Report(where, id(DiagnosticIDs::Error, spelling(category) + ": %0")) << message.str();
  diagnostics.Report(target.isValid() ? target : where, id(DiagnosticIDs::Note, "%0")) << advice;
}

void loom::PragmaLog::follow(const Token &token) {
  if (pending.empty() || pending.back().followed)
    return;
  // Pragmas of others come as annotations; those of OpenMP and OpenACC have a beginning and an end.
  if (token.isOneOf(tok::annot_pragma_openmp, tok::annot_pragma_openacc))
    inDirective = true;
  else if (token.isOneOf(tok::annot_pragma_openmp_end, tok::annot_pragma_openacc_end))
    inDirective = false;
  if (inDirective || token.isAnnotation())
    return;
  for (CandidatePragma &pragma : pending) {
    if (pragma.followed)
      continue;
    pragma.followed = true;
    if (token.is(tok::eof))
      continue;
    pragma.next = token.getLocation();
    pragma.kind = token.getKind();
    pragma.fromMacro = token.getLocation().isMacroID() || token.hasLeadingEmptyMacro();
  }
}

loom::Candidates::Candidates(CompilerInstance &instance, const loom_compile_host &host, bool capturesPayload,
                             bool carrier)
    : instance(instance), host(host), capturesPayload(capturesPayload), carrier(carrier) {
  if (!host.takes_candidates)
    return;
  running = this;
  registerCandidatePragma();
  registerCandidateConsumer();
}

loom::Candidates::~Candidates() { running = nullptr; }

loom::Candidates *loom::Candidates::current() { return running; }

void loom::Candidates::grant(GrantedHint hint, const uint32_t (&positions)[8]) {
  loom_hint raw{hint.marker, bytes(hint.file), {}};
  std::copy(std::begin(positions), std::end(positions), raw.positions);
  auto keep = [](void *target, loom_bytes value) {
    static_cast<std::string *>(target)->assign(loom::text(value));
  };
  host.encode_hint(&raw, {&hint.text, keep});
  granted.push_back(std::move(hint));
}
