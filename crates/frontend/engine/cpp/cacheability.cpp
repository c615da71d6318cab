// What about a cc1 job no look-up shows: times that reach its result, results that differ from run to run.

#include "accesses.h"

#include "loom_engine.h"

#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/PreprocessorOptions.h"

#include <atomic>

using namespace clang;

static std::atomic<bool> timesMatter{false};

int loom_times_matter(void) { return timesMatter; }

static bool measuresOrDebugs(llvm::StringRef option) {
  for (llvm::StringRef word : {"time-passes", "stats", "debug", "track-memory", "time-trace", "report"})
    if (option.contains(word))
      return true;
  return false;
}

void loom::noteInvocation(const CompilerInvocation &invocation) {
  const FrontendOptions &frontend = invocation.getFrontendOpts();
  const CodeGenOptions &code = invocation.getCodeGenOpts();
  const LangOptions &language = invocation.getLangOpts();
  const PreprocessorOptions &preprocessor = invocation.getPreprocessorOpts();

  if (!frontend.TimeTracePath.empty() || frontend.ShowStats || frontend.PrintSupportedCPUs ||
      !frontend.StatsFile.empty() || code.TimePasses)
    forbidCaching("measures the compiler");
  if (!frontend.Plugins.empty() || !frontend.AddPluginActions.empty() || !code.PassPlugins.empty())
    forbidCaching("loads a plugin");
  for (const std::string &option : frontend.LLVMArgs)
    if (measuresOrDebugs(option))
      forbidCaching("measures the compiler");
  if (language.Modules && language.ImplicitModules && !invocation.getHeaderSearchOpts().ModuleCachePath.empty())
    forbidCaching("keeps modules in a cache of its own");

  // Precompiled headers and modules remember the times of what they were made of, and are refused when these differ.
  switch (frontend.ProgramAction) {
  case frontend::GeneratePCH:
  case frontend::GenerateModule:
  case frontend::GenerateModuleInterface:
  case frontend::GenerateReducedModuleInterface:
  case frontend::GenerateHeaderUnit:
  case frontend::VerifyPCH:
    timesMatter = true;
    break;
  default:
    break;
  }
  if (!preprocessor.ImplicitPCHInclude.empty() || !frontend.ModuleFiles.empty() ||
      !invocation.getHeaderSearchOpts().PrebuiltModuleFiles.empty() ||
      !invocation.getHeaderSearchOpts().PrebuiltModulePaths.empty() || !preprocessor.ChainedIncludes.empty())
    timesMatter = true;
}
