// Diagnostics of one compile in two forms: clang's rendering and structured messages.

#include "messages.h"

#include "bytes.h"

#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace {

class HostStream : public llvm::raw_ostream {
public:
  explicit HostStream(const loom_compile_host &host) : host(host) {}
  ~HostStream() override { flush(); }

private:
  const loom_compile_host &host;
  uint64_t position = 0;

  void write_impl(const char *data, size_t size) override {
    host.rendered(host.context, loom::bytes({data, size}));
    position += size;
  }
  uint64_t current_pos() const override { return position; }
};

class MessageRecorder : public DiagnosticConsumer {
public:
  MessageRecorder(const loom_compile_host &host, DiagnosticOptions &options, llvm::StringRef prefix)
      : host(host), stream(host), printer(stream, options) {
    printer.setPrefix(prefix.str());
  }

  void BeginSourceFile(const LangOptions &language, const Preprocessor *preprocessor) override {
    printer.BeginSourceFile(language, preprocessor);
  }
  void EndSourceFile() override { printer.EndSourceFile(); }
  void finish() override {
    printer.finish();
    stream.flush();
  }

  void HandleDiagnostic(DiagnosticsEngine::Level level, const Diagnostic &info) override {
    DiagnosticConsumer::HandleDiagnostic(level, info);
    printer.HandleDiagnostic(level, info);
    stream.flush();
    llvm::SmallString<128> text;
    info.FormatDiagnostic(text);
    llvm::StringRef file;
    uint32_t line = 0, column = 0;
    if (info.getLocation().isValid() && info.hasSourceManager()) {
      PresumedLoc place = info.getSourceManager().getPresumedLoc(info.getLocation());
      if (place.isValid()) {
        file = place.getFilename();
        line = place.getLine();
        column = place.getColumn();
      }
    }
    std::string option;
    if (const DiagnosticsEngine *engine = info.getDiags()) {
      llvm::StringRef flag = engine->getDiagnosticIDs()->getWarningOptionForDiag(info.getID());
      if (!flag.empty())
        option = ("-W" + flag).str();
    }
    host.message(host.context, level, loom::bytes(text), loom::bytes(file), line, column,
                 loom::bytes(option));
  }

private:
  const loom_compile_host &host;
  HostStream stream;
  TextDiagnosticPrinter printer;
};

} // namespace

std::unique_ptr<DiagnosticConsumer> loom::makeMessageRecorder(const loom_compile_host &host,
                                                              DiagnosticOptions &options,
                                                              llvm::StringRef prefix) {
  return std::make_unique<MessageRecorder>(host, options, prefix);
}

std::unique_ptr<llvm::raw_ostream> loom::makeRenderedStream(const loom_compile_host &host) {
  auto stream = std::make_unique<HostStream>(host);
  stream->SetUnbuffered();
  return stream;
}
