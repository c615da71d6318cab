// One driver command: clang's own driver plans the jobs, cc1 jobs run in this process.

#include "accesses.h"
#include "assemble.h"
#include "bytes.h"
#include "cc1.h"
#include "host_files.h"
#include "jobs.h"
#include "messages.h"
#include "renderings.h"

#include "clang/Basic/DiagnosticDriver.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/Job.h"
#include "clang/Driver/ToolChain.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Options/Options.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/Debug.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"

#include <optional>

using namespace clang;
using namespace clang::driver;

// The driver believes it is installed here (decision 8): resource directory, tools beside it, -v output.
static constexpr llvm::StringLiteral driverExecutable = "/usr/lib/llvm-22/bin/clang";

namespace {

/// Arguments after response files and CCC_OVERRIDE_OPTIONS, as clang's main prepares them.
class Arguments {
public:
  Arguments(const loom_bytes *argv, size_t argc, llvm::vfs::FileSystem &files) {
    program = loom::text(argv[0]).str();
    bool cplusplus = llvm::StringRef(program).ends_with("++");
    list.push_back(keep(cplusplus ? driverExecutable.str() + "++" : driverExecutable.str()));
    for (size_t i = 1; i < argc; ++i)
      list.push_back(keep(loom::text(argv[i])));
    if (llvm::Error failed = expandResponseFiles(list, /*ClangCLMode=*/false, allocator, &files))
      error = llvm::toString(std::move(failed));
    nameParts = ToolChain::getTargetAndModeFromProgramName(list[0]);
    if (const char *mode = nameParts.DriverMode)
      list.insert(list.begin() + 1, mode);
    if (const char *edits = ::getenv("CCC_OVERRIDE_OPTIONS"))
      applyOverrideOptions(list, edits, saved, "CCC_OVERRIDE_OPTIONS", &llvm::errs());
  }

  /// Whether cc1 jobs get processes of their own, as clang decides it.
  bool separateCc1() const {
    bool separate = false;
    for (llvm::StringRef argument : llvm::ArrayRef(list).drop_front()) {
      if (argument == "-fno-integrated-cc1")
        separate = true;
      else if (argument == "-fintegrated-cc1")
        separate = false;
    }
    return separate;
  }

  const char *keep(llvm::StringRef text) { return saved.insert(text).first->getKeyData(); }

  std::string program, error;
  llvm::SmallVector<const char *, 256> list;
  ParsedClangName nameParts;

private:
  llvm::BumpPtrAllocator allocator;
  llvm::StringSet<> saved;
};

/// Reads the environment variables by which build tools ask the driver for reports.
void readReportVariables(Driver &driver) {
  auto file = [](bool present, const char *variable, std::string &name) {
    const char *value = present ? ::getenv(variable) : nullptr;
    if (value && *value)
      name = value;
  };
  driver.CCPrintOptions = ::getenv("CC_PRINT_OPTIONS") != nullptr;
  file(driver.CCPrintOptions, "CC_PRINT_OPTIONS_FILE", driver.CCPrintOptionsFilename);
  driver.CCLogDiagnostics = ::getenv("CC_LOG_DIAGNOSTICS") != nullptr;
  file(driver.CCLogDiagnostics, "CC_LOG_DIAGNOSTICS_FILE", driver.CCLogDiagnosticsFilename);
  driver.CCPrintProcessStats = ::getenv("CC_PRINT_PROC_STAT") != nullptr;
  file(driver.CCPrintProcessStats, "CC_PRINT_PROC_STAT_FILE", driver.CCPrintStatReportFilename);
  driver.CCPrintInternalStats = ::getenv("CC_PRINT_INTERNAL_STAT") != nullptr;
  file(driver.CCPrintInternalStats, "CC_PRINT_INTERNAL_STAT_FILE", driver.CCPrintInternalStatReportFilename);
}

/// When -gen-reproducer or the environment want a reproducer; none if the option's value is unknown.
std::optional<Driver::ReproLevel> reproducerLevel(const Compilation &compilation) {
  using Level = Driver::ReproLevel;
  std::optional<Level> level = Level::OnCrash;
  if (const llvm::opt::Arg *option = compilation.getArgs().getLastArg(options::OPT_gen_reproducer_eq)) {
    level = llvm::StringSwitch<std::optional<Level>>(option->getValue())
                .Case("off", Level::Off)
                .Case("crash", Level::OnCrash)
                .Case("error", Level::OnError)
                .Case("always", Level::Always)
                .Default(std::nullopt);
    if (!level)
      llvm::errs() << "Unknown value for " << option->getSpelling() << ": '" << option->getValue() << "'\n";
  }
  if (level && ::getenv("FORCE_CLANG_DIAGNOSTICS_CRASH"))
    level = Level::Always;
  return level;
}

/// Runs every job of a one-shot command, as clang would, and returns the exit status.
int executeJobs(Driver &driver, Compilation &compilation) {
  std::optional<Driver::ReproLevel> level = reproducerLevel(compilation);
  if (!level)
    return 1;
  llvm::SmallVector<std::pair<int, const Command *>, 4> failures;
  const Command *failing = compilation.getJobs().empty() ? nullptr : &*compilation.getJobs().begin();
  int status = driver.ExecuteCompilation(compilation, failures);
  auto outcome = Driver::CommandStatus::Ok;
  for (auto &[result, job] : failures) {
    if (!status)
      status = result;
    failing = job;
    // A negative status, 70, or that of a process ended by a signal (which in-process recovery also returns).
    bool crashed = result < 0 || result == 70 || result > 128;
    outcome = crashed ? Driver::CommandStatus::Crash : Driver::CommandStatus::Error;
    if (crashed)
      break;
  }
  if (::getenv("FORCE_CLANG_DIAGNOSTICS_CRASH"))
    llvm::dbgs() << llvm::getBugReportMsg();
  if (failing && driver.maybeGenerateCompilationDiagnostics(outcome, *level, compilation, *failing))
    return 1;
  return status;
}

/// Makes a one-shot process crash as clang does: stack trace, program arguments, a request for a bug report. For
/// the life of the process.
void prepareForCrash(const std::vector<std::string> &arguments) {
  static std::vector<std::string> kept = arguments;
  static std::vector<const char *> list;
  for (const std::string &argument : kept)
    list.push_back(argument.c_str());
  list.push_back(nullptr);
  static int count = kept.size();
  static const char **pointers = list.data();
  static llvm::InitLLVM init(count, pointers);
  // LLVM's own words, with clang's ending.
  static std::string message =
      (llvm::StringRef(llvm::getBugReportMsg()).split(" and include").first +
       " and include the crash backtrace, preprocessed source, and associated run script.\n")
          .str();
  llvm::setBugReportMsg(message.c_str());
}

std::vector<std::string> texts(const loom_bytes *values, size_t count) {
  std::vector<std::string> texts;
  for (size_t i = 0; i < count; ++i)
    texts.push_back(loom::text(values[i]).str());
  return texts;
}

/// A worker compiles exactly one source; it neither links nor assembles.
const Command *onlyCc1Job(Compilation &compilation, DiagnosticsEngine &diagnostics) {
  JobList &jobs = compilation.getJobs();
  if (jobs.size() == 1 && !jobs.begin()->getArguments().empty() &&
      llvm::StringRef(jobs.begin()->getArguments().front()) == "-cc1")
    return &*jobs.begin();
  unsigned id = diagnostics.getCustomDiagID(
      DiagnosticsEngine::Error, "a compile request needs exactly one source and one output, such as "
                                "'-c file.c -o file.o'; this command has %0 jobs");
  diagnostics.Report(id) << unsigned(jobs.size());
  return nullptr;
}

} // namespace

int loom_compile(const loom_bytes *argv, size_t argc, loom_bytes cwd, uint64_t clock,
                 const loom_compile_host *host) {
  const bool worker = host->file;
  if (!worker)
    prepareForCrash(texts(argv, argc));
  loom_initialize_targets();
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files =
      worker ? loom::makeHostFiles(*host, loom::text(cwd), clock) : llvm::vfs::getRealFileSystem();
  Arguments arguments(argv, argc, *files);
  if (!arguments.error.empty()) {
    if (worker)
      host->rendered(host->context, loom::bytes(arguments.error + "\n"));
    else
      llvm::errs() << arguments.error << '\n';
    return 1;
  }

  std::unique_ptr<DiagnosticOptions> options = CreateAndPopulateDiagOpts(arguments.list);
  llvm::StringRef programName = llvm::sys::path::filename(arguments.program);
  std::unique_ptr<DiagnosticConsumer> consumer;
  if (worker) {
    options->ShowColors = false;
    consumer = loom::makeMessageRecorder(*host, *options, programName);
  } else {
    auto printer = std::make_unique<TextDiagnosticPrinter>(llvm::errs(), *options);
    printer->setPrefix(programName.str());
    consumer = loom::inAllStyles(std::move(printer), *options, /*wraps=*/false, programName);
  }
  DiagnosticsEngine diagnostics(DiagnosticIDs::create(), *options, consumer.get(),
                                /*ShouldOwnClient=*/false);
  ProcessWarningOptions(diagnostics, *options, *files, /*ReportDiags=*/false);

  Driver driver(driverExecutable, llvm::sys::getDefaultTargetTriple(), diagnostics, "clang LLVM compiler",
                files);
  driver.setTargetAndMode(arguments.nameParts);
  driver.setPrependArg(nullptr);
  if (!worker)
    readReportVariables(driver);
  auto run = [&](llvm::ArrayRef<const char *> command, bool payload, bool last) {
    if (llvm::StringRef(command.front()) == "-cc1as")
      return loom::runCc1as(command, files);
    return loom::runCc1(command, driverExecutable.data(), *host, files, clock, payload && host->payload,
                        last && !worker);
  };
  // Only its presence matters: clang plans in-process jobs then. They never run through it.
  auto planned = [](llvm::SmallVectorImpl<const char *> &) { return 1; };
  bool separate = !worker && arguments.separateCc1();
  if (!separate) {
    driver.CC1Main = planned;
    llvm::CrashRecoveryContext::Enable();
  }

  std::unique_ptr<Compilation> compilation(driver.BuildCompilation(arguments.list));
  if (!compilation || compilation->containsError()) {
    consumer->finish();
    return 1;
  }
  if (compilation->getArgs().hasArg(options::OPT__version))
    llvm::outs() << "Loom " << LOOM_VERSION << '\n';

  if (driver.isSaveTempsEnabled())
    loom::forbidCaching("keeps intermediate files");
  int status;
  if (worker) {
    const Command *job = onlyCc1Job(*compilation, diagnostics);
    status = job ? run(job->getArguments(), loom::carriesPayload(*job, *compilation), false) : 1;
  } else {
    // -### prints clang's own plan; everything else runs here.
    if (!compilation->getArgs().hasArg(options::OPT__HASH_HASH_HASH))
      loom::takeOverJobs(*compilation, run, separate || driver.CCPrintProcessStats, host->takes_candidates);
    status = executeJobs(driver, *compilation);
  }
  consumer->finish();
  llvm::outs().flush();
  return status;
}

int loom_job(const loom_bytes *arguments, size_t count, const loom_compile_host *host) {
  std::vector<std::string> kept = texts(arguments, count);
  std::vector<const char *> list;
  for (const std::string &argument : kept)
    list.push_back(argument.c_str());
  if (list.empty())
    return 1;
  prepareForCrash(kept);
  llvm::CrashRecoveryContext::Enable();
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files = llvm::vfs::getRealFileSystem();
  if (kept.front() == "-cc1as")
    return loom::runCc1as(list, files);
  return loom::runCc1(list, driverExecutable.data(), *host, files, 0, host->payload != nullptr, /*last=*/true);
}
