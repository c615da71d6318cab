// Captures the module at the end of the optimizer pipeline and embeds its payload.

#include "payload_pass.h"

#include "embed.h"
#include "fresh_options.h"
#include "normalize.h"

#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace {

bool writeAndNormalize(const Module &module, loom::NormalizedModule &result, std::string &code,
                       std::string &message) {
  SmallVector<char, 0> bitcode;
  raw_svector_ostream out(bitcode);
  WriteBitcodeToFile(module, out, /*ShouldPreserveUseListOrder=*/false, /*Index=*/nullptr,
                     /*GenerateHash=*/false);
  return loom::normalizeModule({bitcode.data(), bitcode.size()}, result, code, message);
}

struct PayloadPass : PassInfoMixin<PayloadPass> {
  const loom_compile_host *host;
  bool isolated;
  PayloadPass(const loom_compile_host &host, bool isolated) : host(&host), isolated(isolated) {}

  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    if (!module.getTargetTriple().isOSBinFormatELF())
      return PreservedAnalyses::all();
    loom::NormalizedModule normalized;
    std::string code, message;
    bool ok = isolated ? loom::inFreshOptions(
                             [&](loom::NormalizedModule &result, std::string &code, std::string &message) {
                               return writeAndNormalize(module, result, code, message);
                             },
                             normalized, code, message)
                       : writeAndNormalize(module, normalized, code, message);
    if (!ok) {
      module.getContext().emitError(code + ": " + message);
      return PreservedAnalyses::all();
    }
    loom::embedFrames(module, *host, normalized);
    return PreservedAnalyses::none();
  }

  /// Never skipped by -opt-bisect-limit.
  static bool isRequired() { return true; }
};

} // namespace

std::function<void(PassBuilder &)> loom::payloadCallback(const loom_compile_host &host, bool isolated) {
  // -ffat-lto-objects reaches the end of the optimizer twice; only the first time counts.
  auto embedded = std::make_shared<bool>(false);
  return [&host, isolated, embedded](PassBuilder &builder) {
    // Sanitizers and other late passes register for the end of the optimizer after this callback. Registering
    // only when the pipeline is built puts the payload behind them all.
    builder.registerPipelineStartEPCallback([&builder, &host, isolated,
                                             embedded](ModulePassManager &, OptimizationLevel) {
      builder.registerOptimizerLastEPCallback(
          [&host, isolated, embedded](ModulePassManager &passes, OptimizationLevel, ThinOrFullLTOPhase) {
            if (!std::exchange(*embedded, true))
              passes.addPass(PayloadPass(host, isolated));
          });
    });
  };
}
