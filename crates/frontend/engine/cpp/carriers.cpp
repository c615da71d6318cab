// Carriers inside bitcode modules: objects of LTO compiles are modules.

#include "bytes.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

int loom_read_carriers(loom_bytes bitcode, loom_bytes section, loom_sink contents, loom_failure failure) {
  LLVMContext context;
  // Function bodies stay unread: only globals matter.
  Expected<std::unique_ptr<Module>> module =
      getLazyBitcodeModule(MemoryBufferRef(loom::text(bitcode), "object"), context);
  if (!module) {
    std::string message = toString(module.takeError());
    failure.fail(failure.context, loom::bytes("llvm_module_unparsable"), loom::bytes(message));
    return 1;
  }
  for (const GlobalVariable &variable : (*module)->globals()) {
    if (!variable.hasInitializer() || variable.getSection() != loom::text(section))
      continue;
    // Anything else in the section is not of our making; its bytes are unknown here and count as none.
    const auto *data = dyn_cast<ConstantDataSequential>(variable.getInitializer());
    loom::put(contents, data ? data->getRawDataValues() : StringRef());
  }
  return 0;
}
