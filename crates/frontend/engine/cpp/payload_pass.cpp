// Captures the module at the end of the optimizer pipeline and embeds its payload.

#include "payload_pass.h"

#include "embed.h"
#include "fresh_options.h"
#include "normalize.h"
#include "retaining_copy.h"

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
  loom::RetainingCopy *retaining;
  bool isolated;
  PayloadPass(const loom_compile_host &host, loom::RetainingCopy &retaining, bool isolated)
      : host(&host), retaining(&retaining), isolated(isolated) {}

  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    if (!module.getTargetTriple().isOSBinFormatELF())
      return PreservedAnalyses::all();
    loom::NormalizedModule normalized;
    std::string code, message;
    bool ok = retaining->hasAnswer() ? retaining->takeAnswer(normalized, code, message)
                                     : capture(module, normalized, code, message);
    if (retaining->isCopy())
      retaining->answer(ok, normalized, code, message);
    if (!ok) {
      module.getContext().emitError(code + ": " + message);
      return PreservedAnalyses::all();
    }
    loom::embedFrames(module, *host, normalized);
    return PreservedAnalyses::none();
  }

  bool capture(const Module &module, loom::NormalizedModule &result, std::string &code, std::string &message) {
    if (!isolated)
      return writeAndNormalize(module, result, code, message);
    auto normalize = [&](loom::NormalizedModule &result, std::string &code, std::string &message) {
      return writeAndNormalize(module, result, code, message);
    };
    return loom::inFreshOptions(normalize, result, code, message);
  }

  /// Never skipped by -opt-bisect-limit.
  static bool isRequired() { return true; }
};

} // namespace

std::function<void(PassBuilder &)> loom::payloadCallback(const loom_compile_host &host, RetainingCopy &retaining,
                                                         bool isolated) {
  // -ffat-lto-objects reaches the end of the optimizer twice; only the first time counts.
  auto embedded = std::make_shared<bool>(false);
  return [&host, &retaining, isolated, embedded](PassBuilder &builder) {
    // Sanitizers and other late passes register for the end of the optimizer after this callback. Registering
    // only when the pipeline is built puts the payload behind them all.
    builder.registerPipelineStartEPCallback([&builder, &host, &retaining, isolated,
                                             embedded](ModulePassManager &, OptimizationLevel) {
      builder.registerOptimizerLastEPCallback([&host, &retaining, isolated, embedded](
                                                  ModulePassManager &passes, OptimizationLevel, ThinOrFullLTOPhase) {
        if (!std::exchange(*embedded, true))
          passes.addPass(PayloadPass(host, retaining, isolated));
      });
    });
  };
}
