// What this process says, in every style that clang has for a terminal.
//
// clang colours messages and wraps them to the terminal, and nobody else can. So each message is rendered several times:
// unwrapped, for 80 columns, for the columns at hand, and for so many that nothing is wrapped, each with and without
// colours. The cache can then say it on another terminal. What is said without being a message is known in its one form.

#include "renderings.h"

#include "bytes.h"

#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <array>
#include <vector>

using namespace clang;
using llvm::StringRef;

namespace {

constexpr unsigned wide = 60000;
/// As the host knows it.
constexpr uint16_t wideStyle = 0xffff;
/// The columns of the slots but the last, which are those at hand.
constexpr std::array<unsigned, 3> standard{0, 80, wide};
constexpr size_t slots = standard.size() + 1;

struct Said {
  /// As it was written.
  std::string printed;
  /// Text that is no message, not judged yet.
  std::string pending;
  /// By slot, then colours.
  std::string texts[slots][2];
  size_t enough = 0;
  bool bound = false;

  void addToAll(StringRef text) {
    for (auto &slot : texts)
      for (std::string &all : slot)
        all += text;
  }

  /// "2 warnings generated." is said in one form only.
  void judgePending() {
    StringRef text = pending;
    if (text.empty())
      return;
    const bool counts = text.size() < 80 && llvm::isDigit(text.front()) && text.contains(" generated") &&
                        text.ends_with(".\n") && text.count('\n') == 1;
    bound |= !counts;
    addToAll(text);
    pending.clear();
  }
};

Said &said() {
  static auto *said = new Said;
  return *said;
}

/// What decides; of the process, not of one job.
loom_styles styles{};
bool inMessage = false;
thread_local unsigned unlogged = 0;

/// One style of rendering, with the memory that clang's renderer has of the message before.
struct Rendering {
  Rendering(const DiagnosticOptions &like, unsigned columns, bool colours, StringRef prefix)
      : options(like), stream(text), printer(stream, options) {
    options.MessageLength = columns;
    options.ShowColors = colours;
    stream.enable_colors(true);
    printer.setPrefix(prefix.str());
  }

  DiagnosticOptions options;
  std::string text;
  llvm::raw_string_ostream stream;
  TextDiagnosticPrinter printer;
};

class AllStyles : public DiagnosticConsumer {
public:
  AllStyles(std::unique_ptr<DiagnosticConsumer> original, const DiagnosticOptions &options, bool wraps,
            StringRef prefix)
      : original(std::move(original)) {
    const unsigned own = options.MessageLength;
    for (bool colours : {false, true}) {
      if (!wraps) {
        add(options, own, colours, prefix, {0, 1, 2, 3});
        continue;
      }
      for (size_t slot = 0; slot < standard.size(); ++slot) {
        std::vector<size_t> of{slot};
        if (standard[slot] == own)
          of.push_back(standard.size());
        add(options, standard[slot], colours, prefix, of);
      }
      if (!llvm::is_contained(standard, own))
        add(options, own, colours, prefix, {standard.size()});
    }
  }

  void clear() override {
    DiagnosticConsumer::clear();
    original->clear();
  }
  void BeginSourceFile(const LangOptions &language, const Preprocessor *preprocessor) override {
    original->BeginSourceFile(language, preprocessor);
    for (auto &it : renderings)
      it.rendering->printer.BeginSourceFile(language, preprocessor);
  }
  void EndSourceFile() override {
    original->EndSourceFile();
    for (auto &it : renderings)
      it.rendering->printer.EndSourceFile();
  }
  void finish() override { original->finish(); }
  bool IncludeInDiagnosticCounts() const override { return original->IncludeInDiagnosticCounts(); }

  void HandleDiagnostic(DiagnosticsEngine::Level level, const Diagnostic &info) override {
    DiagnosticConsumer::HandleDiagnostic(level, info);
    Said &all = said();
    all.judgePending();
    inMessage = true;
    original->HandleDiagnostic(level, info);
    inMessage = false;
    // How types are told apart in a message depends on whether there will be colours.
    auto *engine = const_cast<DiagnosticsEngine *>(info.getDiags());
    const bool colours = engine->getShowColors();
    for (auto &it : renderings) {
      engine->setShowColors(it.rendering->options.ShowColors);
      it.rendering->printer.HandleDiagnostic(level, info);
      StringRef text = it.rendering->text;
      for (size_t slot : it.slots)
        all.texts[slot][it.rendering->options.ShowColors] += text;
      if (it.rendering->options.MessageLength == wide)
        all.enough = std::max(all.enough, widthOf(text));
      it.rendering->text.clear();
    }
    engine->setShowColors(colours);
  }

private:
  struct Slots {
    std::unique_ptr<Rendering> rendering;
    std::vector<size_t> slots;
  };

  std::unique_ptr<DiagnosticConsumer> original;
  std::vector<Slots> renderings;

  void add(const DiagnosticOptions &options, unsigned columns, bool colours, StringRef prefix,
           std::vector<size_t> slots) {
    renderings.push_back({std::make_unique<Rendering>(options, columns, colours, prefix), std::move(slots)});
  }

  /// At least the columns that clang counts for the longest line: bytes, and for each change of colour the one that
  /// clang's wrapping takes it for. One more, since a line that fills the terminal is wrapped.
  static size_t widthOf(StringRef text) {
    size_t longest = 0;
    llvm::SmallVector<StringRef, 8> lines;
    text.split(lines, '\n');
    for (StringRef line : lines) {
      size_t columns = 0;
      for (size_t at = 0; at < line.size(); ++at) {
        ++columns;
        if (line[at] == '\x1b')
          at = std::min(line.find('m', at), line.size());
      }
      longest = std::max(longest, columns);
    }
    return longest + 1;
  }
};

void putNumber(std::string &out, uint64_t number, unsigned size) {
  for (unsigned i = 0; i < size; ++i)
    out.push_back(char(number >> (8 * i)));
}

} // namespace

loom::Unlogged::Unlogged() { ++unlogged; }
loom::Unlogged::~Unlogged() { --unlogged; }
bool loom::isUnlogged() { return unlogged != 0; }

bool loom::hasStyles(const DiagnosticOptions &options) {
  return options.getFormat() != DiagnosticOptions::SARIF && !options.VerifyDiagnostics &&
         options.DiagnosticSerializationFile.empty() && options.DiagnosticLogFile.empty();
}

std::unique_ptr<DiagnosticConsumer> loom::inAllStyles(std::unique_ptr<DiagnosticConsumer> original,
                                                      const DiagnosticOptions &options, bool wraps, StringRef prefix) {
  if (!isWatching() || !hasStyles(options))
    return original;
  if (wraps || !styles.known) {
    styles.known = 1;
    styles.columns = options.MessageLength;
    styles.colours = options.ShowColors;
  }
  return std::make_unique<AllStyles>(std::move(original), options, wraps, prefix);
}

void loom::noteSaid(StringRef text) {
  Said &all = said();
  all.printed += text;
  if (!inMessage)
    all.pending += text;
}

loom_styles loom::presentStyles() { return styles; }

void loom::takeSaid(loom_access_sink sink) {
  Said &all = said();
  all.judgePending();
  if (all.printed.empty())
    return;
  std::string encoded;
  putNumber(encoded, styles.follows_columns, 1);
  putNumber(encoded, styles.follows_colours, 1);
  putNumber(encoded, std::min<unsigned>(styles.columns, wide), 2);
  putNumber(encoded, styles.colours, 1);
  if (!all.bound && all.enough < wide && styles.columns < wide) {
    putNumber(encoded, all.enough, 2);
    for (size_t slot = 0; slot < slots; ++slot) {
      const bool own = slot == standard.size();
      if (own && llvm::is_contained(standard, styles.columns))
        continue;
      const unsigned columns = own ? styles.columns : standard[slot] == wide ? wideStyle : standard[slot];
      for (bool colours : {false, true}) {
        const std::string &text = all.texts[slot][colours];
        putNumber(encoded, columns, 2);
        putNumber(encoded, colours, 1);
        putNumber(encoded, text.size(), 4);
        encoded += text;
      }
    }
  }
  sink.put(sink.context, LOOM_ACCESS_PRINTED, bytes(all.printed), bytes(encoded), nullptr);
  all = Said();
}

// clang asks these two about its terminal, and whatever follows from the answers is a matter of style. So the variables
// that they look up are no inputs. The labels are the mangled names of functions of llvm::sys::Process.
bool realHasColours() __asm__("__real__ZN4llvm3sys7Process20StandardErrHasColorsEv");
bool hasColours() __asm__("__wrap__ZN4llvm3sys7Process20StandardErrHasColorsEv");
bool hasColours() {
  styles.follows_colours = 1;
  loom::Unlogged guard;
  return realHasColours();
}

unsigned realColumns() __asm__("__real__ZN4llvm3sys7Process18StandardErrColumnsEv");
unsigned columns() __asm__("__wrap__ZN4llvm3sys7Process18StandardErrColumnsEv");
unsigned columns() {
  styles.follows_columns = 1;
  loom::Unlogged guard;
  return realColumns();
}
