// Captures the module at the end of the optimizer pipeline and embeds its payload.

#include "payload_pass.h"

#include "bytes.h"
#include "fresh_options.h"
#include "normalize.h"

#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

// Non-semantic names (specification: "Object section name ... are non-semantic projections").
static constexpr StringLiteral payloadSection = ".loom.payload";
static constexpr StringLiteral recordSection = ".loom.record";

namespace {

bool writeAndNormalize(const Module &module, loom::NormalizedModule &result, std::string &code,
                       std::string &message) {
  SmallVector<char, 0> bitcode;
  raw_svector_ostream out(bitcode);
  WriteBitcodeToFile(module, out, /*ShouldPreserveUseListOrder=*/false, /*Index=*/nullptr,
                     /*GenerateHash=*/false);
  return loom::normalizeModule({bitcode.data(), bitcode.size()}, result, code, message);
}

struct Frames {
  std::string payload, record;
};

Frames framesOf(const loom_compile_host &host, const loom::NormalizedModule &module) {
  Frames frames;
  auto keep = [](void *target, loom_bytes value) {
    static_cast<std::string *>(target)->assign(loom::text(value));
  };
  host.payload(host.context, loom::bytes(module.triple), loom::bytes(module.layout),
               loom::bytes({module.bitcode.data(), module.bitcode.size()}),
               loom_sink{&frames.payload, keep}, loom_sink{&frames.record, keep});
  return frames;
}

/// The payload goes into an SHF_EXCLUDE section, so that an ordinary link drops it.
void embedPayload(Module &module, StringRef frame) {
  LLVMContext &context = module.getContext();
  Constant *content = ConstantDataArray::getString(context, frame, /*AddNull=*/false);
  auto *carrier = new GlobalVariable(module, content->getType(), /*isConstant=*/true,
                                     GlobalValue::PrivateLinkage, content, "loom.payload");
  carrier->setSection(payloadSection);
  carrier->setAlignment(Align(1));
  // Else the carrier would enter the address-significance table, which outlives it.
  carrier->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  carrier->setMetadata(LLVMContext::MD_exclude, MDNode::get(context, {}));
  appendToCompilerUsed(module, carrier);
}

/// The record goes into a plain non-alloc section, which every linker carries from exactly the selected
/// members into its output.
void embedRecord(Module &module, StringRef frame) {
  std::string text;
  raw_string_ostream out(text);
  out << ".pushsection " << recordSection << ",\"\",%progbits\n";
  for (size_t at = 0; at < frame.size(); ++at)
    out << (at % 16 ? "," : at ? "\n.byte " : ".byte ") << unsigned(static_cast<uint8_t>(frame[at]));
  out << "\n.popsection\n";
  module.appendModuleInlineAsm(text);
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
    Frames frames = framesOf(*host, normalized);
    embedPayload(module, frames.payload);
    embedRecord(module, frames.record);
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
