// What this process says, in every style that clang has for a terminal.

#pragma once

#include "loom_engine.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticOptions.h"

#include <memory>

namespace loom {

/// While the log is kept: has every message that `original` prints rendered in the other styles too. `wraps` says
/// whether messages are wrapped to the terminal (a driver's own are not). Returns `original` if there is no log, or if its
/// messages have a form that styles do not reach.
std::unique_ptr<clang::DiagnosticConsumer> inAllStyles(std::unique_ptr<clang::DiagnosticConsumer> original,
                                                       const clang::DiagnosticOptions &options, bool wraps,
                                                       llvm::StringRef prefix);

/// Whether messages under these options have a form that styles reach.
bool hasStyles(const clang::DiagnosticOptions &options);

/// Writes what is known to be said, in all styles, to the host already.
void writeKnownText(llvm::StringRef text);

/// Notes text on standard error that is, or is not, a message.
void noteSaid(llvm::StringRef text);

/// Hands out what was said since the last call, if anything was.
void takeSaid(loom_access_sink sink);

/// Whether options or the terminal decide about columns and colours, as far as clang has asked.
loom_styles presentStyles();

/// Whether the log is kept.
bool isWatching();

/// Look-ups of variables until the end of the scope are none of the log's.
class Unlogged {
public:
  Unlogged();
  ~Unlogged();
};

/// Whether there is one.
bool isUnlogged();

} // namespace loom
