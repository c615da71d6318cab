// What normalization costs beside what LLVM itself needs to read, verify and write the same module.

#include "bytes.h"
#include "normalize.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <ctime>

using namespace llvm;

namespace {

/// LLVM's own part: parse into a fresh context, verify, write.
bool rewrite(StringRef bitcode, std::string &message) {
  LLVMContext context;
  Expected<std::unique_ptr<Module>> module = parseBitcodeFile(MemoryBufferRef(bitcode, "module"), context);
  if (!module) {
    message = toString(module.takeError());
    return false;
  }
  raw_string_ostream problems(message);
  if (verifyModule(**module, &problems))
    return false;
  SmallVector<char, 0> written;
  raw_svector_ostream out(written);
  WriteBitcodeToFile(**module, out);
  return true;
}

/// Processor time of this process, in microseconds.
uint64_t now() { return static_cast<uint64_t>(std::clock()) * 1000000 / CLOCKS_PER_SEC; }

} // namespace

int loom_measure_normalization(loom_bytes bitcode, size_t pairs, uint64_t *normalized, uint64_t *rewritten,
                               loom_failure failure) {
  StringRef text = loom::text(bitcode);
  std::string code, message;
  // The first pair only warms the allocator and the pages of both.
  for (size_t pair = 0; pair <= pairs; ++pair) {
    uint64_t start = now();
    loom::NormalizedModule result;
    if (!loom::normalizeModule(text, result, code, message)) {
      failure.fail(failure.context, loom::bytes(code), loom::bytes(message));
      return 1;
    }
    uint64_t middle = now();
    if (!rewrite(text, message)) {
      failure.fail(failure.context, loom::bytes("llvm_module_invalid"), loom::bytes(message));
      return 1;
    }
    if (pair == 0)
      continue;
    normalized[pair - 1] = middle - start;
    rewritten[pair - 1] = now() - middle;
  }
  return 0;
}
