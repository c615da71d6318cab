// The payload of a module in which definitions stay for their hints, beside an object in which they do not.

#pragma once

#include "forked_copy.h"

namespace loom {

/// Definitions that stay change what the optimizer does to others. So a copy of the process optimizes the module
/// with them and answers with the payload, while the object comes from the module that the source alone gives.
class RetainingCopy {
public:
  /// Makes the copy and lets it go first. Returns true in the copy, which must go on to the end of the pipeline,
  /// and false in the original once the copy has answered.
  bool fork();

  bool isCopy() const { return process && process->isCopy(); }
  bool hasAnswer() const { return answered; }

  /// In the original: what the copy made.
  bool takeAnswer(NormalizedModule &module, std::string &code, std::string &message);
  /// In the copy: hands over what it made, and ends.
  void answer(bool ok, const NormalizedModule &module, llvm::StringRef code, llvm::StringRef message) const {
    process->answer(ok, module, code, message);
  }

private:
  std::unique_ptr<ForkedCopy> process;
  bool answered = false, succeeded = false;
  NormalizedModule module;
  std::string code, message;
};

} // namespace loom
