// The outcome of raising, for whoever started it.

#include "raise_report.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace loom::raising;

static StringRef stateOf(const FunctionOutcome &function) {
  switch (function.state) {
  case FunctionOutcome::Straight:
    return "straight";
  case FunctionOutcome::Lifted:
    return "lifted";
  case FunctionOutcome::Unstructured:
    return "unstructured";
  case FunctionOutcome::Isolated:
    return "isolated";
  }
  llvm_unreachable("all states are named");
}

std::string loom::raising::writeReport(const Outcome &outcome) {
  std::string text;
  raw_string_ostream out(text);
  json::OStream json(out);
  json.object([&] {
    json.attributeArray("functions", [&] {
      for (const auto &entry : outcome.functions)
        json.object([&] {
          const FunctionOutcome &function = entry.second;
          json.attribute("name", json::fixUTF8(entry.first));
          json.attribute("state", stateOf(function));
          json.attribute("reason", function.reason);
          json.attribute("for", function.counted);
          json.attribute("while", function.loops);
          json.attribute("if", function.ifs);
          json.attribute("switch", function.switches);
          json.attribute("scalars", function.scalars);
        });
    });
    json.attributeObject("globals", [&] {
      for (const auto &[name, reason] : outcome.isolatedGlobals)
        json.attribute(json::fixUTF8(name), reason);
    });
    json.attributeObject("losses", [&] {
      for (const auto &[kind, count] : outcome.losses)
        json.attribute(kind, static_cast<int64_t>(count));
    });
    json.attributeArray("hints", [&] {
      for (const HintOutcome &hint : outcome.hints)
        json.object([&] {
          json.attribute("payload", toHex(hint.payload, /*LowerCase=*/true));
          json.attribute("function", json::fixUTF8(hint.function));
          json.attribute("loop", hint.loop);
          json.attribute("state", hint.state);
          json.attribute("category", hint.category);
          json.attribute("fatal", hint.fatal);
          json.attribute("message", json::fixUTF8(hint.message));
        });
    });
  });
  return text;
}
