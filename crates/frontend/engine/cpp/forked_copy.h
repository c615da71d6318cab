// A copy of this process that goes its own way and answers with a normalized module.

#pragma once

#include "normalize.h"

#include <memory>

namespace loom {

/// A forked copy of this single-threaded process, seen from either side.
class ForkedCopy {
public:
  /// Forks. Both sides get an object; null with a sentence in `problem` if there is no copy.
  static std::unique_ptr<ForkedCopy> make(std::string &problem);
  ~ForkedCopy();
  ForkedCopy(const ForkedCopy &) = delete;

  /// Whether this is the copy.
  bool isCopy() const { return child == 0; }

  /// In the copy: what it writes from now on, but its answer, nobody reads; a fault ends it and touches nothing of
  /// the original's.
  void detach() const;
  /// In the copy: answers, and ends without exit handlers, which are the original's.
  [[noreturn]] void answer(bool ok, const NormalizedModule &module, llvm::StringRef code,
                           llvm::StringRef message) const;

  /// In the original: waits for the answer and returns it. A copy that dies is a failure with code
  /// `llvm_module_invalid`.
  bool result(NormalizedModule &module, std::string &code, std::string &message);

private:
  ForkedCopy(int child, int pipe) : child(child), pipe(pipe) {}
  int child, pipe;
};

} // namespace loom
