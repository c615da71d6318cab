// An object with a payload from any LLVM module, without a frontend.

#include "bytes.h"
#include "embed.h"
#include "normalize.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"

using namespace llvm;

namespace {

/// Code generation as the module itself asks for it: processor and features stand at its functions, the
/// relocation and code model in its flags.
std::unique_ptr<TargetMachine> machineFor(const Module &module, std::string &problem) {
  const Target *target = TargetRegistry::lookupTarget(module.getTargetTriple(), problem);
  if (!target)
    return nullptr;
  TargetOptions options;
  options.UseInitArray = true;
  Reloc::Model relocation = module.getPICLevel() == PICLevel::NotPIC ? Reloc::Static : Reloc::PIC_;
  std::unique_ptr<TargetMachine> machine(target->createTargetMachine(
      module.getTargetTriple(), /*CPU=*/"", /*Features=*/"", options, relocation, module.getCodeModel()));
  if (!machine)
    problem = "no code generator for '" + module.getTargetTriple().str() + "'";
  return machine;
}

} // namespace

int loom_pack(loom_bytes bitcode, const loom_compile_host *host, loom_sink object, loom_failure failure) {
  auto fail = [&](StringRef code, const Twine &message) {
    std::string text = message.str();
    failure.fail(failure.context, loom::bytes(code), loom::bytes(text));
    return 1;
  };
  loom::NormalizedModule normalized;
  std::string code, message;
  if (!loom::normalizeModule(loom::text(bitcode), normalized, code, message))
    return fail(code, message);

  LLVMContext context;
  // The payload's own bytes are compiled, so that object and payload cannot disagree.
  Expected<std::unique_ptr<Module>> module = parseBitcodeFile(
      MemoryBufferRef({normalized.bitcode.data(), normalized.bitcode.size()}, "module"), context);
  if (!module)
    return fail("llvm_module_unparsable", toString(module.takeError()));
  if (!(*module)->getTargetTriple().isOSBinFormatELF())
    return fail("target_triple_unsupported",
                "objects for '" + normalized.triple + "' have no section that can carry a payload");
  std::string problem;
  std::unique_ptr<TargetMachine> machine = machineFor(**module, problem);
  if (!machine)
    return fail("target_triple_unsupported", problem);
  if ((*module)->getDataLayout() != machine->createDataLayout())
    return fail("data_layout_mismatch", "the module's data layout '" + normalized.layout +
                                            "' is not that of the code generator for '" +
                                            normalized.triple + "'");

  loom::embedFrames(**module, *host, normalized);
  SmallVector<char, 0> bytes;
  raw_svector_ostream out(bytes);
  legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, out, nullptr, CodeGenFileType::ObjectFile))
    return fail("target_triple_unsupported", "no object writer for '" + normalized.triple + "'");
  passes.run(**module);
  loom::put(object, {bytes.data(), bytes.size()});
  return 0;
}
