// One compile that may have been run under another spelling.

#include "shared_job.h"

#include "bytes.h"
#include "renderings.h"

#include "clang/Frontend/Utils.h"
#include "llvm/Support/raw_ostream.h"

#include <vector>

using namespace clang;
using llvm::StringRef;

/// clang's own writer of dependency files, which tells what it lists and can be told.
class loom::KeptDependencies : public DependencyFileGenerator {
public:
  explicit KeptDependencies(const DependencyOutputOptions &options) : DependencyFileGenerator(options) {}

  void add(StringRef path) { addDependency(path); }
};

static bool isShared(const CompilerInvocation &invocation) {
  const FrontendOptions &frontend = invocation.getFrontendOpts();
  const DependencyOutputOptions &dependencies = invocation.getDependencyOutputOpts();
  switch (frontend.ProgramAction) {
  case frontend::EmitObj:
  case frontend::EmitAssembly:
  case frontend::EmitBC:
    break;
  default:
    return false;
  }
  return frontend.Inputs.size() == 1 && frontend.Inputs.front().isFile() && frontend.Inputs.front().getFile() != "-" &&
         !frontend.OutputFile.empty() && frontend.OutputFile != "-" && dependencies.OutputFile != "-" &&
         !dependencies.ShowHeaderIncludes && dependencies.HeaderIncludeOutputFile.empty() &&
         dependencies.DOTOutputFile.empty() && dependencies.ModuleDependencyOutputDir.empty() &&
         loom::hasStyles(invocation.getDiagnosticOpts());
}

/// The invocation but for where its outputs go and how its messages look.
static std::string describe(const CompilerInvocation &invocation) {
  CompilerInvocation plain(invocation);
  plain.getFrontendOpts().OutputFile.clear();
  DependencyOutputOptions &dependencies = plain.getDependencyOutputOpts();
  const bool listsDependencies = !dependencies.OutputFile.empty();
  dependencies.OutputFile.clear();
  dependencies.Targets.clear();
  dependencies.UsePhonyTargets = 0;
  dependencies.OutputFormat = DependencyOutputFormat::Make;
  plain.getDiagnosticOpts().ShowColors = 0;
  plain.getDiagnosticOpts().MessageLength = 0;
  std::string text = listsDependencies ? "lists dependencies" : "";
  plain.generateCC1CommandLine([&](const llvm::Twine &argument) {
    text += '\0';
    text += argument.str();
  });
  return text;
}

loom::SharedJob::SharedJob(const loom_compile_host &host, const CompilerInvocation &invocation, bool payload)
    : host(host) {
  shared = host.answer_job && isShared(invocation);
  if (!shared)
    return;
  object = invocation.getFrontendOpts().OutputFile;
  dependencyFile = invocation.getDependencyOutputOpts().OutputFile;
  question = describe(invocation);
  for (int flag : {int(payload), host.takes_candidates, host.remark_missing_payload})
    question += char('0' + flag);
  host.begin_job(host.context);
}

loom::SharedJob::~SharedJob() = default;

namespace {
/// Values of a sink.
struct Values {
  std::vector<std::string> values;

  loom_sink sink() {
    return {this, [](void *self, loom_bytes value) {
              static_cast<Values *>(self)->values.push_back(loom::text(value).str());
            }};
  }
};
} // namespace

bool loom::SharedJob::answer(CompilerInstance &instance, int &status) {
  if (!shared || loom_times_matter())
    return false;
  const CompilerInvocation &invocation = instance.getInvocation();
  loom_styles styles = presentStyles();
  styles.columns = invocation.getDiagnosticOpts().MessageLength;
  styles.colours = invocation.getDiagnosticOpts().ShowColors;
  Values kept, listed, said;
  if (!host.answer_job(host.context, bytes(question), styles, kept.sink(), listed.sink(), said.sink()))
    return false;
  shared = false;
  status = 1;
  if (!instance.hasFileManager())
    instance.createFileManager();
  // First of all, as clang makes it: where it cannot be made there is nothing else.
  auto out = instance.createOutputFile(object, /*Binary=*/true, /*RemoveFileOnSignal=*/true,
                                       invocation.getFrontendOpts().UseTemporary);
  if (!out) {
    instance.printDiagnosticStats();
    return true;
  }
  *out << kept.values.front();
  out.reset();
  if (!dependencyFile.empty()) {
    KeptDependencies writer(invocation.getDependencyOutputOpts());
    for (const std::string &path : listed.values)
      writer.add(path);
    writer.finishedMainFile(instance.getDiagnostics());
  }
  status = instance.getDiagnostics().hasErrorOccurred();
  instance.clearOutputFiles(/*EraseFiles=*/status != 0);
  writeKnownText(said.values.front());
  return true;
}

void loom::SharedJob::watch(CompilerInstance &instance) {
  DependencyOutputOptions &options = instance.getInvocation().getDependencyOutputOpts();
  if (!shared || options.OutputFile.empty())
    return;
  dependencies = std::make_shared<KeptDependencies>(options);
  instance.addDependencyCollector(dependencies);
  // Or clang would write the file a second time.
  options.OutputFile.clear();
}

void loom::SharedJob::done(CompilerInvocation &invocation, bool success) {
  if (!shared)
    return;
  invocation.getDependencyOutputOpts().OutputFile = dependencyFile;
  std::vector<loom_bytes> listed;
  if (dependencies)
    for (const std::string &path : dependencies->getDependencies())
      listed.push_back(bytes(path));
  host.end_job(host.context, success ? 0 : 1, bytes(object), bytes(dependencyFile), listed.data(), listed.size());
}
