// The jobs of a driver command, turned into jobs that the engine runs itself.

#include "jobs.h"

#include "link_job.h"

#include "clang/Driver/Action.h"
#include "clang/Driver/Job.h"
#include "clang/Driver/Types.h"
#include "clang/Options/Options.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang::driver;

namespace {

/// Whether clang itself would do the job.
bool isClangs(const Command &job) {
  if (job.getArguments().empty())
    return false;
  llvm::StringRef tool = job.getArguments().front();
  return tool == "-cc1" || tool == "-cc1as";
}

/// Whether the job sets LLVM options. LLVM's own parser ends the process over a bad one.
bool setsLlvmOptions(const Command &job) {
  unsigned missingIndex, missingCount;
  llvm::opt::Visibility visible(clang::options::CC1Option | clang::options::CC1AsOption);
  return clang::getDriverOptTable()
      .ParseArgs(job.getArguments(), missingIndex, missingCount, visible)
      .hasArg(clang::options::OPT_mllvm);
}

/// Whether another job of the command assembles what `job` writes.
bool isAssembled(const Command &job, const Compilation &compilation) {
  for (const Command &other : compilation.getJobs())
    for (const InputInfo &input : other.getInputInfos())
      if (input.isFilename() && llvm::is_contained(job.getOutputFilenames(), input.getFilename()) &&
          llvm::isa<AssembleJobAction>(other.getSource()))
        return true;
  return false;
}

/// A job of clang's inside this process, under the same crash recovery as clang's own in-process jobs.
class InProcessJob : public Command {
public:
  InProcessJob(const Command &original, loom::RunJob run, bool payload, bool last)
      : Command(original), run(run), payload(payload), last(last) {}

  void Print(llvm::raw_ostream &out, const char *terminator, bool quote,
             CrashReportInfo *crash = nullptr) const override {
    if (InProcess)
      out << " (in-process)\n";
    Command::Print(out, terminator, quote, crash);
  }

  int Execute(llvm::ArrayRef<std::optional<llvm::StringRef>>, std::string *error,
              bool *executionFailed) const override {
    PrintFileNames();
    if (error)
      error->clear();
    if (executionFailed)
      *executionFailed = false;
    llvm::CrashRecoveryContext recovery;
    recovery.DumpStackAndCleanupOnFailure = true;
    const void *stackTrace = llvm::SavePrettyStackState();
    int status = 0;
    if (!recovery.RunSafely([&] { status = run(getArguments(), payload, last); })) {
      llvm::RestorePrettyStackState(stackTrace);
      return recovery.RetCode;
    }
    return status;
  }

private:
  loom::RunJob run;
  bool payload, last;
};

/// A job of clang's in a process of its own: the engine again, not the clang that the command names.
class SeparateJob : public Command {
public:
  SeparateJob(const Command &original, bool payload, bool candidates)
      : Command(original), payload(payload), candidates(candidates) {}

  int Execute(llvm::ArrayRef<std::optional<llvm::StringRef>> redirects, std::string *error,
              bool *executionFailed) const override {
    std::string engine = llvm::sys::fs::getMainExecutable(nullptr, nullptr);
    Command again(*this);
    again.replaceExecutable(engine.c_str());
    llvm::opt::ArgStringList arguments{"job", payload ? "payload" : "plain",
                                          candidates ? "candidates" : "unhinted"};
    arguments.append(getArguments().begin(), getArguments().end());
    again.replaceArguments(std::move(arguments));
    return again.Command::Execute(redirects, error, executionFailed);
  }

private:
  bool payload, candidates;
};

} // namespace

bool loom::carriesPayload(const Command &job, const Compilation &compilation) {
  const Action &source = job.getSource();
  if (source.isDeviceOffloading(Action::OFK_Cuda) || source.isDeviceOffloading(Action::OFK_HIP) ||
      source.isDeviceOffloading(Action::OFK_OpenMP) || source.isDeviceOffloading(Action::OFK_SYCL))
    return false;
  switch (source.getType()) {
  case types::TY_Object:
  case types::TY_LTO_BC:
    return true;
  case types::TY_PP_Asm:
    return isAssembled(job, compilation);
  default:
    return false;
  }
}

void loom::takeOverJobs(Compilation &compilation, RunJob run, bool separate, bool candidates) {
  const Command *lastJob = compilation.getJobs().empty() ? nullptr : compilation.getJobs().getJobs().back().get();
  // The end of one job's process must not be that of the others, nor of the clean-up behind them.
  const bool severalJobs = compilation.getJobs().size() > 1;
  std::vector<std::unique_ptr<Command>> jobs;
  for (const Command &job : compilation.getJobs()) {
    bool payload = carriesPayload(job, compilation);
    if (std::unique_ptr<Command> link = observeLink(job))
      jobs.push_back(std::move(link));
    else if (!isClangs(job))
      jobs.push_back(std::make_unique<Command>(job));
    else if (separate || (severalJobs && setsLlvmOptions(job)))
      jobs.push_back(std::make_unique<SeparateJob>(job, payload, candidates));
    else
      jobs.push_back(std::make_unique<InProcessJob>(job, run, payload, &job == lastJob));
  }
  compilation.getJobs().clear();
  for (std::unique_ptr<Command> &job : jobs)
    compilation.getJobs().addJob(std::move(job));
}
