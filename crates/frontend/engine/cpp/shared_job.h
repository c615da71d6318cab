// One compile that may have been run under another spelling.

#pragma once

#include "loom_engine.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"

#include <memory>
#include <string>

namespace loom {

class KeptDependencies;

/// A compile as the cache knows it: by its parsed invocation without the paths of its outputs, and how it is rendered.
class SharedJob {
public:
  /// Begins the job: what was looked at before it is none of its own. Does nothing, then and later, where a job's result
  /// cannot be shared.
  SharedJob(const loom_compile_host &host, const clang::CompilerInvocation &invocation, bool payload);
  ~SharedJob();

  /// Leaves what the job would leave, if that is known. `instance` has files and diagnostics, and compiles nothing.
  bool answer(clang::CompilerInstance &instance, int &status);

  /// Notes which dependencies the job lists. Before it runs.
  void watch(clang::CompilerInstance &instance);

  /// The job has ended, and `invocation` is again what it was.
  void done(clang::CompilerInvocation &invocation, bool success);

private:
  const loom_compile_host &host;
  bool shared = false;
  std::string question, object, dependencyFile;
  std::shared_ptr<KeptDependencies> dependencies;
};

} // namespace loom
