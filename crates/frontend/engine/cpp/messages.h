// Diagnostics of one compile in two forms: clang's rendering and structured messages.

#pragma once

#include "loom_engine.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticOptions.h"

#include <memory>

namespace loom {

/// A consumer that sends every diagnostic to the host: as clang renders it (without colour, `prefix` as the
/// program name of driver messages) and as a structured message.
std::unique_ptr<clang::DiagnosticConsumer> makeMessageRecorder(const loom_compile_host &host,
                                                               clang::DiagnosticOptions &options,
                                                               llvm::StringRef prefix);

/// A stream whose text the host gets as rendered output.
std::unique_ptr<llvm::raw_ostream> makeRenderedStream(const loom_compile_host &host);

} // namespace loom
