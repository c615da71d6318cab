// One cc1 job, run in this process.

#include "cc1.h"

#include "accesses.h"
#include "bytes.h"
#include "candidate_projection.h"
#include "messages.h"
#include "payload_pass.h"
#include "renderings.h"
#include "sarif_rules.h"
#include "shared_job.h"
#include "target_lists.h"

#include "clang/Basic/DiagnosticFrontend.h"
#include "clang/CodeGen/ObjectFilePCHContainerWriter.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/TextDiagnosticBuffer.h"
#include "clang/Frontend/Utils.h"
#include "clang/FrontendTool/Utils.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Options/OptionUtils.h"
#include "clang/Serialization/ObjectFilePCHContainerReader.h"
#include "llvm/Support/BuryPointer.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Support/Timer.h"

#include <optional>

// Where -info-output-file says; LLVM's headers do not declare it, clang's main function does.
namespace llvm {
std::unique_ptr<raw_ostream> CreateInfoOutputFile();
}

using namespace clang;

namespace {

/// Sees the three macros that read the clock.
class ClockWatch : public PPCallbacks {
public:
  explicit ClockWatch(const loom_compile_host &host) : host(host) {}

  void MacroExpands(const Token &name, const MacroDefinition &, SourceRange, const MacroArgs *) override {
    llvm::StringRef text = name.getIdentifierInfo()->getName();
    if (text == "__DATE__" || text == "__TIME__" || text == "__TIMESTAMP__")
      host.clock_used(host.context);
  }

private:
  const loom_compile_host &host;
};

/// A dependency collector is the hook that reaches every preprocessor of a compile.
class ClockWatchInstaller : public DependencyCollector {
public:
  explicit ClockWatchInstaller(const loom_compile_host &host) : host(host) {}

  void attachToPreprocessor(Preprocessor &preprocessor) override {
    preprocessor.addPPCallbacks(std::make_unique<ClockWatch>(host));
  }

private:
  const loom_compile_host &host;
};

void reportFatalError(void *diagnostics, const char *message, bool generateCrashDiagnostics) {
  auto &engine = *static_cast<DiagnosticsEngine *>(diagnostics);
  engine.Report(diag::err_fe_error_backend) << message;
  llvm::sys::RunInterruptHandlers();
  // Inside a crash recovery context this unwinds to it instead of leaving the process.
  llvm::sys::Process::Exit(generateCrashDiagnostics ? 70 : 1);
}

void writeTimeTrace(CompilerInstance &instance) {
  const std::string &path = instance.getFrontendOpts().TimeTracePath;
  // The instance may be past its own output files by now; making one again needs a file manager.
  if (!instance.hasFileManager())
    instance.createFileManager();
  if (auto out = instance.createOutputFile(path, /*Binary=*/false, /*RemoveFileOnSignal=*/false,
                                           /*useTemporary=*/true)) {
    llvm::timeTraceProfilerWrite(*out);
    out.reset();
    instance.clearOutputFiles(/*EraseFiles=*/false);
  }
  llvm::timeTraceProfilerCleanup();
}

/// What timers of options like -ftime-report measured, where an instance that frees nothing has not printed it.
void printTimers(const CodeGenOptions &options) {
  std::unique_ptr<llvm::raw_ostream> out = llvm::CreateInfoOutputFile();
  if (options.TimePassesJson) {
    *out << "{\n";
    llvm::TimerGroup::printAllJSONValues(*out, "");
    *out << "\n}\n";
  } else if (!options.TimePassesStatsFile) {
    llvm::TimerGroup::printAll(*out);
  }
}

bool makesCode(const CompilerInvocation &invocation) {
  switch (invocation.getFrontendOpts().ProgramAction) {
  case frontend::EmitObj:
  case frontend::EmitAssembly:
  case frontend::EmitBC:
    return true;
  default:
    return false;
  }
}

/// Whether the job compiles a source: modules of LLVM pass through as they are.
bool isSource(const CompilerInvocation &invocation) {
  const auto &inputs = invocation.getFrontendOpts().Inputs;
  return !inputs.empty() && inputs.front().getKind().getLanguage() != Language::LLVM_IR;
}

/// Removes what clang writes beside its output after errors, too. Links and devices stay.
void removeSideOutputs(const CompilerInvocation &invocation) {
  const CodeGenOptions &options = invocation.getCodeGenOpts();
  for (const std::string &path : {invocation.getDependencyOutputOpts().OutputFile, options.SplitDwarfOutput,
                                  options.OptRecordFile, options.StackUsageOutput}) {
    llvm::sys::fs::file_status status;
    if (!path.empty() && !llvm::sys::fs::status(path, status, /*follow=*/false) &&
        status.type() == llvm::sys::fs::file_type::regular_file)
      llvm::sys::fs::remove(path);
  }
}

/// Whether objects for the target can carry a payload, and a hint in it (decision 20).
bool canCarry(const CompilerInvocation &invocation, const llvm::Triple &triple) {
  const LangOptions &language = invocation.getLangOpts();
  return triple.isOSBinFormatELF() && !triple.isGPU() && !triple.isSPIROrSPIRV() && !language.CUDAIsDevice &&
         !language.OpenMPIsTargetDevice && !language.SYCLIsDevice;
}

} // namespace

int loom::runCc1(llvm::ArrayRef<const char *> arguments, const char *program,
                 const loom_compile_host &host, llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
                 uint64_t clock, bool payload, bool last) {
  const bool worker = host.file;
  loom_initialize_targets();
  // Options of an earlier compile in this process must not leak into this one.
  llvm::cl::ResetAllOptionOccurrences();

  auto invocation = std::make_shared<CompilerInvocation>();
  TextDiagnosticBuffer early;
  DiagnosticOptions earlyOptions;
  DiagnosticsEngine earlyDiagnostics(DiagnosticIDs::create(), earlyOptions, &early,
                                     /*ShouldOwnClient=*/false);
  bool success =
      CompilerInvocation::CreateFromArgs(*invocation, arguments.drop_front(), earlyDiagnostics, program);

  const bool quiet = early.err_begin() == early.err_end() && early.warn_begin() == early.warn_end() &&
                     early.remark_begin() == early.remark_end() && early.note_begin() == early.note_end();
  std::optional<SharedJob> shared;
  if (success && quiet && !worker)
    shared.emplace(host, *invocation, payload);
  if (!worker)
    noteInvocation(*invocation);
  if (int status; success && !worker && printTargetList(*invocation, status))
    return status;

  auto containers = std::make_shared<PCHContainerOperations>();
  containers->registerWriter(std::make_unique<ObjectFilePCHContainerWriter>());
  containers->registerReader(std::make_unique<ObjectFilePCHContainerReader>());
  auto instance = std::make_unique<CompilerInstance>(invocation, containers);

  if (invocation->getHeaderSearchOpts().UseBuiltinIncludes &&
      invocation->getHeaderSearchOpts().ResourceDir.empty())
    invocation->getHeaderSearchOpts().ResourceDir = GetResourcesPath(program);

  llvm::SmallVector<char, 0> object;
  if (worker) {
    if (!invocation->getFrontendOpts().LLVMArgs.empty())
      host.llvm_options_used(host.context);
    invocation->getDiagnosticOpts().ShowColors = false;
    invocation->getDependencyOutputOpts().OutputFile.clear();
    if (!invocation->getPreprocessorOpts().SourceDateEpoch)
      invocation->getPreprocessorOpts().SourceDateEpoch = clock;
    instance->setOutputStream(std::make_unique<llvm::raw_svector_ostream>(object));
    instance->setVerboseOutputStream(makeRenderedStream(host));
    instance->addDependencyCollector(std::make_shared<ClockWatchInstaller>(host));
  }
  instance->createVirtualFileSystem(files);
  if (worker)
    instance->createDiagnostics(
        makeMessageRecorder(host, invocation->getDiagnosticOpts(), "").release(), true);
  else
    instance->createDiagnostics();
  if (!instance->hasDiagnostics())
    return 1;
  if (!worker) {
    nameSarifRules(*instance);
    DiagnosticsEngine &diagnostics = instance->getDiagnostics();
    if (diagnostics.ownsClient()) {
      auto consumer = inAllStyles(diagnostics.takeClient(), invocation->getDiagnosticOpts(), /*wraps=*/true, "");
      diagnostics.setClient(consumer.release(), /*ShouldOwnClient=*/true);
    }
  }
  if (int status; shared && shared->answer(*instance, status))
    return status;
  if (shared)
    shared->watch(*instance);

  const llvm::Triple triple(invocation->getTargetOpts().Triple);
  payload = payload && makesCode(*invocation);
  const bool carrier = canCarry(*invocation, triple);
  Candidates candidates(*instance, host, payload && carrier, carrier);
  auto &callbacks = invocation->getCodeGenOpts().PassBuilderCallbacks;
  if (host.takes_candidates && isSource(*invocation))
    callbacks.push_back(projectionCallback(candidates));
  if (payload) {
    if (host.remark_missing_payload && !triple.isOSBinFormatELF()) {
      DiagnosticsEngine &diagnostics = instance->getDiagnostics();
      diagnostics.Report(diagnostics.getCustomDiagID(
          DiagnosticsEngine::Remark, "objects for '%0' cannot carry a payload [-Rloom-payload]"))
          << triple.str();
    }
    bool isolated = !invocation->getFrontendOpts().LLVMArgs.empty();
    callbacks.push_back(payloadCallback(host, candidates.retaining, isolated));
  }

  const FrontendOptions &frontend = invocation->getFrontendOpts();
  bool traced = !worker && !frontend.TimeTracePath.empty();
  if (traced)
    llvm::timeTraceProfilerInitialize(frontend.TimeTraceGranularity, program, frontend.TimeTraceVerbose);
  llvm::install_fatal_error_handler(reportFatalError, &instance->getDiagnostics());
  early.FlushDiagnostics(instance->getDiagnostics());
  if (success) {
    bool freeNothing = last && invocation->getFrontendOpts().DisableFree;
    invocation->getFrontendOpts().DisableFree = freeNothing;
    invocation->getCodeGenOpts().DisableFree = freeNothing;
    llvm::TimeTraceScope scope("ExecuteCompiler");
    // -ftime-report; code generation divides its own part off this timer.
    bool timed = invocation->getCodeGenOpts().TimePasses;
    if (timed)
      instance->createFrontendTimer();
    llvm::TimeRegion region(timed ? &instance->getFrontendTimer() : nullptr);
    success = ExecuteCompilerInvocation(instance.get());
  } else {
    instance->getDiagnosticClient().finish();
  }
  llvm::remove_fatal_error_handler();
  if (shared)
    shared->done(*invocation, success);
  if (candidates.refused && !worker)
    removeSideOutputs(*invocation);
  if (!worker)
    printTimers(invocation->getCodeGenOpts());
  // A later job of this process starts at nought.
  llvm::TimerGroup::clearAll();
  if (traced)
    writeTimeTrace(*instance);

  if (worker && success)
    host.output(host.context, bytes({object.data(), object.size()}));
  if (invocation->getFrontendOpts().DisableFree)
    llvm::BuryPointer(std::move(instance));
  return success ? 0 : 1;
}
