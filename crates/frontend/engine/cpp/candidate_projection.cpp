// Hints from annotations and marks to metadata. Everything is proved before anything is changed.

#include "candidate_projection.h"

#include "bytes.h"
#include "candidate_annotations.h"
#include "candidate_mark.h"
#include "candidate_names.h"
#include "candidate_retention.h"

#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;
using loom::Annotation;
using loom::GrantedHint;
using loom::Refusal;

namespace {

class Projection {
public:
  Projection(loom::Candidates &job, Module &module, FunctionAnalysisManager &functions)
      : job(job), module(module), functions(functions), annotations(module), marks(module) {
    for (const GrantedHint &hint : job.granted)
      granted[hint.text] = &hint;
  }

  /// Whether all hints are proved.
  bool plan() {
    for (const Annotation &annotation : annotations.ours)
      planAnnotation(annotation);
    for (StringRef text : annotations.expressions)
      refuse(nullptr, encodingOr(text, Refusal::Projection),
             "no pragma stands behind the annotation '" + text.str() + "'",
             "annotations that begin with 'loom.candidate.' are Loom's own");
    if (!failed && marks.anyUnproved())
      refuse(nullptr, Refusal::Projection, "a loop is marked whose candidate is unknown",
             "report this as a fault of Loom");
    if (failed)
      return false;
    retention = loom::planRetention(module, job, annotations);
    return retention.has_value();
  }

  void apply() {
    for (const Function &function : module)
      if (manifests.contains(&function) || hints.contains(&function))
        setMetadata(const_cast<Function &>(function));
    for (auto &[latch, hint] : loops)
      loom::replaceMark(*latch, hint->text);
    loom::NameRecovery names(module);
    loom::dropRetainedList(module);
    annotations.removeOurs(module, names);
    names.apply(job);
    retain();
    if (std::string problem; failsVerification(problem))
      report_fatal_error(Twine("projecting candidates broke the module: ") + problem);
  }

private:
  loom::Candidates &job;
  Module &module;
  FunctionAnalysisManager &functions;
  loom::Annotations annotations;
  StringMap<const GrantedHint *> granted;
  DenseMap<const Function *, const GrantedHint *> hints;
  DenseMap<const Function *, SmallVector<const GrantedHint *, 4>> manifests;
  loom::LoopMarks marks;
  /// Loops by the ends of their latches.
  std::vector<std::pair<Instruction *, const GrantedHint *>> loops;
  std::optional<loom::RetentionPlan> retention;
  bool failed = false;

  void refuse(const GrantedHint *hint, Refusal category, const Twine &message, StringRef advice) {
    failed = true;
    clang::SourceLocation none;
    loom::refuse(job.instance.getDiagnostics(), category, hint ? hint->pragma : none, message,
                 hint ? hint->target : none, advice);
  }

  Refusal encodingOr(StringRef text, Refusal category) const {
    return job.host.is_hint(loom::bytes(text)) ? category : Refusal::Encoding;
  }

  void planAnnotation(const Annotation &annotation) {
    const GrantedHint *hint = granted.lookup(annotation.text);
    if (!hint)
      return refuse(nullptr, encodingOr(annotation.text, Refusal::Projection),
                    "no pragma stands behind the annotation '" + annotation.text.str() + "'",
                    "mark the function or loop with '#pragma loom candidate'");
    const Function *function = annotation.function;
    if (!function)
      return refuse(hint, Refusal::Projection, "the annotation of this candidate is not on a function",
                    "report this as a fault of Loom");
    // An inline definition of C for which another translation unit has code generated.
    if (function->isDeclaration())
      return;
    if (annotation.file != hint->file || annotation.line != hint->carrierLine)
      return refuse(hint, Refusal::Projection, "the annotation of this candidate is not where its function is",
                    "declare the function once more only before its definition");
    if (!hint->marker) {
      if (!hints.try_emplace(function, hint).second)
        refuse(hint, Refusal::Placement, "several candidates on one function", "remove all but one");
      return;
    }
    if (is_contained(manifests[function], hint))
      return refuse(hint, Refusal::Placement, "this candidate stands in its function twice", "remove one");
    manifests[function].push_back(hint);
    planLoop(*const_cast<Function *>(function), *hint);
  }

  void planLoop(Function &function, const GrantedHint &hint) {
    Instruction *latch = nullptr;
    if (std::optional<loom::Unproved> problem = marks.prove(hint, function, functions, latch))
      return refuse(&hint, problem->category, problem->message, problem->advice);
    loops.emplace_back(latch, &hint);
  }

  void setMetadata(Function &function) {
    LLVMContext &context = module.getContext();
    if (const GrantedHint *hint = hints.lookup(&function))
      function.setMetadata("loom.candidate.function", MDNode::get(context, MDString::get(context, hint->text)));
    SmallVector<Metadata *, 4> manifest;
    for (const GrantedHint *hint : manifests.lookup(&function))
      manifest.push_back(MDString::get(context, hint->text));
    if (!manifest.empty())
      function.setMetadata("loom.candidate.loops", MDNode::get(context, manifest));
  }

  /// Definitions stay in the payload, or in a module that is written out as it is, but not in an object.
  void retain() {
    if (retention->retained.empty())
      return;
    if (!job.capturesPayload || job.retaining.fork())
      loom::applyRetention(module, *retention);
    else {
      // What is known of a function must not outlive it.
      functions.clear();
      loom::discardTemporaries(module, *retention);
    }
  }

  bool failsVerification(std::string &problem) {
    raw_string_ostream out(problem);
    return verifyModule(module, &out);
  }
};

struct CandidateProjection : PassInfoMixin<CandidateProjection> {
  loom::Candidates *job;
  explicit CandidateProjection(loom::Candidates &job) : job(&job) {}

  PreservedAnalyses run(Module &module, ModuleAnalysisManager &analyses) {
    if (job->granted.empty() && !loom::Annotations::present(module))
      return PreservedAnalyses::all();
    auto &functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
    Projection projection(*job, module, functions);
    if (!projection.plan()) {
      // The compile has failed; this keeps notes on coverage from being written beside the object.
      if (module.getNamedMetadata("llvm.gcov"))
        StripDebugInfo(module);
      return PreservedAnalyses::all();
    }
    projection.apply();
    return PreservedAnalyses::none();
  }

  /// Never skipped by -opt-bisect-limit.
  static bool isRequired() { return true; }
};

struct LaterNames : PassInfoMixin<LaterNames> {
  loom::Candidates *job;
  explicit LaterNames(loom::Candidates &job) : job(&job) {}
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    loom::recoverLaterNames(module, *job);
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

} // namespace

std::function<void(PassBuilder &)> loom::projectionCallback(Candidates &job) {
  return [&job](PassBuilder &builder) {
    builder.registerPipelineStartEPCallback([&job, &builder](ModulePassManager &passes, OptimizationLevel) {
      passes.addPass(CandidateProjection(job));
      if (!job.granted.empty())
        builder.registerOptimizerLastEPCallback(
            [&job](ModulePassManager &passes, OptimizationLevel, ThinOrFullLTOPhase) {
              passes.addPass(LaterNames(job));
            });
    });
  };
}
