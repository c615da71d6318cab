// Normalization that no LLVM option of this process can reach.

#include "fresh_options.h"

#include "forked_copy.h"

#include "llvm/Support/CommandLine.h"

using namespace llvm;

bool loom::inFreshOptions(
    function_ref<bool(NormalizedModule &, std::string &, std::string &)> normalize,
    NormalizedModule &result, std::string &code, std::string &message) {
  std::unique_ptr<ForkedCopy> copy = ForkedCopy::make(message);
  if (!copy) {
    code = "llvm_module_invalid";
    return false;
  }
  if (!copy->isCopy())
    return copy->result(result, code, message);
  cl::ResetAllOptionOccurrences();
  NormalizedModule module;
  std::string itsCode, itsMessage;
  bool ok = normalize(module, itsCode, itsMessage);
  copy->answer(ok, module, itsCode, itsMessage);
}
