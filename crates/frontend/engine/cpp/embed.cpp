// Payload and record inside a module, from where code generation carries them into the object.

#include "embed.h"

#include "bytes.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

// Non-semantic names (specification: "Object section name ... are non-semantic projections").
static constexpr StringLiteral payloadSection = ".loom.payload";
static constexpr StringLiteral recordSection = ".loom.record";

namespace {

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

} // namespace

void loom::embedFrames(Module &module, const loom_compile_host &host, const NormalizedModule &normalized) {
  Frames frames = framesOf(host, normalized);
  embedPayload(module, frames.payload);
  embedRecord(module, frames.record);
}
