// Rules of Loom's own in reports in SARIF.

#include "sarif_rules.h"

#include "candidates.h"

#include "clang/Frontend/SARIFDiagnostic.h"
#include "clang/Frontend/SARIFDiagnosticPrinter.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace clang;

namespace {

/// A base, so that it is there before the printer that writes to it.
struct Report {
  std::string text;
  llvm::raw_string_ostream stream{text};
};

/// clang's printer, whose report is written after the rules were named. clang's own code expects this very class.
class NamingPrinter : Report, public SARIFDiagnosticPrinter {
public:
  explicit NamingPrinter(DiagnosticOptions &options) : SARIFDiagnosticPrinter(stream, options) {}

  void HandleDiagnostic(DiagnosticsEngine::Level level, const Diagnostic &info) override {
    SARIFDiagnosticPrinter::HandleDiagnostic(level, info);
    llvm::SmallString<128> message;
    info.FormatDiagnostic(message);
    for (loom::Refusal category : {loom::Refusal::Encoding, loom::Refusal::Placement, loom::Refusal::Construct,
                                   loom::Refusal::Projection})
      if (level >= DiagnosticsEngine::Error && message.str().starts_with(loom::spelling(category)))
        names[info.getID()] = loom::spelling(category);
  }

  void EndSourceFile() override {
    SARIFDiagnosticPrinter::EndSourceFile();
    for (auto [id, name] : names)
      for (llvm::StringRef key : {"\"ruleId\":\"", "\"id\":\""})
        replace((key + llvm::Twine(id) + "\"").str(), (key + name + "\"").str());
    llvm::errs() << text;
    text.clear();
  }

private:
  std::map<unsigned, llvm::StringRef> names;

  /// Quotes inside of messages are escaped in JSON, so only keys match.
  void replace(const std::string &from, const std::string &to) {
    for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
  }
};

} // namespace

void loom::nameSarifRules(CompilerInstance &instance) {
  DiagnosticOptions &options = instance.getDiagnosticOpts();
  // With other consumers in the chain clang's own cast would miss the printer.
  const bool alone = options.DiagnosticSerializationFile.empty() && options.DiagnosticLogFile.empty() &&
                     !options.VerifyDiagnostics;
  if (options.getFormat() == DiagnosticOptions::SARIF && alone)
    instance.getDiagnostics().setClient(new NamingPrinter(options), /*ShouldOwnClient=*/true);
}
