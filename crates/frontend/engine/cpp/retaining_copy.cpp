// The payload of a module in which definitions stay for their hints, beside an object in which they do not.

#include "retaining_copy.h"

bool loom::RetainingCopy::fork() {
  process = ForkedCopy::make(message);
  if (isCopy()) {
    process->detach();
    return true;
  }
  answered = true;
  code = "llvm_module_invalid";
  succeeded = process && process->result(module, code, message);
  return false;
}

bool loom::RetainingCopy::takeAnswer(NormalizedModule &taken, std::string &itsCode, std::string &itsMessage) {
  taken = std::move(module);
  itsCode = code;
  itsMessage = message;
  return succeeded;
}
