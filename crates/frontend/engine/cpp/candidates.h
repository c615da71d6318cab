// The candidate hints of one cc1 job: what was asked for, what was granted, how refusals read.

#pragma once

#include "loom_engine.h"
#include "retaining_copy.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceLocation.h"
#include "clang/Basic/TokenKinds.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <string>
#include <vector>

namespace clang {
class CompilerInstance;
class FunctionDecl;
class Preprocessor;
class Token;
} // namespace clang

namespace loom {

/// The stable categories of a refused candidate (source integration, section 3).
enum class Refusal { Encoding, Placement, Construct, Projection };

/// What they are called.
llvm::StringRef spelling(Refusal category);

/// Reports an error that no option downgrades: the category is the first word. `advice` says at `target`, or at
/// `where` if that is invalid, what to do about it.
void refuse(clang::DiagnosticsEngine &diagnostics, Refusal category, clang::SourceLocation where,
            const llvm::Twine &message, clang::SourceLocation target, llvm::StringRef advice);

/// One `#pragma loom candidate` that is spelled as it has to be.
struct CandidatePragma {
  /// Its `#`.
  clang::SourceLocation at;
  /// The token that follows it, invalid at the end of the file; known once `followed`.
  clang::SourceLocation next;
  clang::tok::TokenKind kind = clang::tok::unknown;
  bool followed = false, fromMacro = false;

  bool startsLoop() const {
    return kind == clang::tok::kw_for || kind == clang::tok::kw_while || kind == clang::tok::kw_do;
  }
  /// Whether attributes may begin with it, which are no part of what they are on.
  bool startsAttributes() const {
    return kind == clang::tok::l_square || kind == clang::tok::kw___attribute ||
           kind == clang::tok::kw___declspec || kind == clang::tok::kw_alignas;
  }
};

/// The pragmas that a preprocessor saw and nothing has claimed yet, in the order of the source.
struct PragmaLog {
  /// Whether what is parsed becomes a precompiled header or a module, in which a hint would be lost.
  bool header = false;
  llvm::SmallVector<CandidatePragma, 4> pending;

  /// Notes the token that follows the last pragmas.
  void follow(const clang::Token &token);

private:
  bool inDirective = false;
};

/// A hint that was granted, as it waits to be projected.
struct GrantedHint {
  /// The annotation.
  std::string text;
  /// 0 for functions.
  uint64_t marker;
  std::string file;
  uint32_t carrierLine;
  clang::SourceLocation pragma, target;
};

/// The state of one cc1 job, made before its action begins and dropped after it.
class Candidates {
public:
  /// `capturesPayload`: an object of this job carries its module. `carrier`: objects of this target can.
  Candidates(clang::CompilerInstance &instance, const loom_compile_host &host, bool capturesPayload,
             bool carrier);
  ~Candidates();
  Candidates(const Candidates &) = delete;

  /// The job that runs now, if it is one of clang's.
  static Candidates *current();

  clang::CompilerInstance &instance;
  const loom_compile_host &host;
  const bool capturesPayload, carrier;

  /// Logs of the preprocessors whose tokens are parsed. The others only preprocess.
  llvm::DenseMap<const clang::Preprocessor *, PragmaLog *> logs;

  /// Whether one was refused: the job has failed, and leaves no output.
  bool refused = false;

  std::vector<GrantedHint> granted;
  /// Internal and inline definitions with hints, to be kept until the payload is captured.
  std::vector<clang::FunctionDecl *> retained;
  /// One hint of each, for refusals.
  std::vector<clang::SourceLocation> retainedFor;

  /// Optimizes them beside the object.
  RetainingCopy retaining;

  /// How many numbered names Loom took, and the last number at that time.
  unsigned namesTaken = 0, lastNumber = 0;

  /// Fills in the strings of `hint` and keeps it.
  void grant(GrantedHint hint, const uint32_t (&positions)[8]);
};

/// Make every preprocessor know the pragma, and every action look for what it marks. Idempotent.
void registerCandidatePragma();
void registerCandidateConsumer();

/// The name of the variable whose initializer lists the retained definitions until they are projected.
inline constexpr llvm::StringLiteral retainedName = "loom.candidate.retained";
/// What all annotations of ours begin with.
inline constexpr llvm::StringLiteral annotationPrefix = "loom.candidate.";

/// Loop alignments beyond what clang accepts from a source mark the loops of candidates while code is generated:
/// the marker above, the user's own alignment (0 or up to 4096) in the low bits.
inline constexpr unsigned alignmentBits = 13;
inline constexpr uint64_t lastMarker = (1u << (32 - alignmentBits)) - 1;

} // namespace loom
