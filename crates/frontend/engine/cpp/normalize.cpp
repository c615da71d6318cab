// Normalization of a bitcode module (source integration, section 7, "LLVM Module Normalization").

#include "normalize.h"

#include "bytes.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Bitstream/BitstreamReader.h"
#include "llvm/Bitcode/LLVMBitCodes.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace {

/// A stable code with the sentence that explains it; an Error that survives the trip through LLVM's API.
class Rejection : public ErrorInfo<Rejection> {
public:
  static char ID;
  std::string code, message;
  Rejection(StringRef code, std::string message) : code(code), message(std::move(message)) {}
  void log(raw_ostream &out) const override { out << code << ": " << message; }
  std::error_code convertToErrorCode() const override { return inconvertibleErrorCode(); }
};
char Rejection::ID;

Error reject(StringRef code, const Twine &message) { return make_error<Rejection>(code, message.str()); }

Error reject(StringRef code, Error cause) { return reject(code, toString(std::move(cause))); }

/// The data layout exactly as the bitcode spells it. The reader upgrades old spellings before any callback
/// sees them, and the payload must keep the module's own.
Expected<std::string> readDataLayoutSpelling(MemoryBufferRef buffer) {
  Expected<std::vector<BitcodeModule>> modules = getBitcodeModuleList(buffer);
  if (!modules)
    return modules.takeError();
  if (modules->size() != 1)
    return reject("llvm_module_unparsable",
                  Twine("expected exactly one module, found ") + Twine(modules->size()));
  BitstreamCursor cursor(modules->front().getBuffer());
  // The module's buffer starts at its identification block or at the module block itself.
  std::string spelling;
  while (!cursor.AtEndOfStream()) {
    Expected<BitstreamEntry> entry = cursor.advance();
    if (!entry)
      return entry.takeError();
    if (entry->Kind != BitstreamEntry::SubBlock)
      break;
    if (entry->ID != bitc::MODULE_BLOCK_ID) {
      if (Error error = cursor.SkipBlock())
        return std::move(error);
      continue;
    }
    if (Error error = cursor.EnterSubBlock(bitc::MODULE_BLOCK_ID))
      return std::move(error);
    SmallVector<uint64_t, 256> record;
    while (true) {
      Expected<BitstreamEntry> inner = cursor.advanceSkippingSubblocks();
      if (!inner)
        return inner.takeError();
      if (inner->Kind != BitstreamEntry::Record)
        return spelling;
      record.clear();
      Expected<unsigned> kind = cursor.readRecord(inner->ID, record);
      if (!kind)
        return kind.takeError();
      if (*kind == bitc::MODULE_CODE_DATALAYOUT)
        return std::string(record.begin(), record.end());
    }
  }
  return spelling;
}

/// Symbol tables are hash maps whose write order depends on their history. Emptying them and entering every
/// name again in structural order makes write(parse(write(m))) a fixpoint. No name changes.
class SymbolTableRebuilder {
public:
  void rebuild(Module &module) {
    begin();
    for (GlobalVariable &it : module.globals())
      take(it);
    for (Function &it : module)
      take(it);
    for (GlobalAlias &it : module.aliases())
      take(it);
    for (GlobalIFunc &it : module.ifuncs())
      take(it);
    restore();
    for (Function &function : module) {
      begin();
      for (Argument &it : function.args())
        take(it);
      for (BasicBlock &block : function) {
        take(block);
        for (Instruction &it : block)
          take(it);
      }
      restore();
    }
  }

private:
  std::vector<std::pair<Value *, std::string>> names;

  void begin() { names.clear(); }
  void take(Value &value) {
    if (!value.hasName())
      return;
    names.emplace_back(&value, value.getName().str());
    value.setName("");
  }
  void restore() {
    for (auto &[value, name] : names)
      value->setName(name);
  }
};

/// Parses, materializes and verifies the module, whose data layout keeps the given spelling.
Expected<std::unique_ptr<Module>> readModule(MemoryBufferRef buffer, const std::string &spelling,
                                             LLVMContext &context) {
  ParserCallbacks callbacks(
      [&](StringRef, StringRef) -> std::optional<std::string> { return spelling; });
  Expected<std::unique_ptr<Module>> parsed = parseBitcodeFile(buffer, context, callbacks);
  if (!parsed)
    return reject("llvm_module_unparsable", parsed.takeError());
  if (Error error = (*parsed)->materializeAll())
    return reject("llvm_module_materialization_failed", std::move(error));
  std::string problems;
  raw_string_ostream out(problems);
  if (verifyModule(**parsed, &out))
    return reject("llvm_module_invalid", StringRef(problems).rtrim());
  return std::move(*parsed);
}

Expected<loom::NormalizedModule> normalize(StringRef bitcode) {
  MemoryBufferRef buffer(bitcode, "module");
  Expected<std::string> spelling = readDataLayoutSpelling(buffer);
  if (!spelling) {
    Error error = spelling.takeError();
    return error.isA<Rejection>() ? std::move(error) : reject("llvm_module_unparsable", std::move(error));
  }
  if (spelling->empty())
    return reject("data_layout_absent", "the module has no data layout");
  // Module::setDataLayout aborts on a malformed string, so it is judged first.
  if (Expected<DataLayout> layout = DataLayout::parse(*spelling); !layout)
    return reject("data_layout_invalid", layout.takeError());

  LLVMContext context;
  Expected<std::unique_ptr<Module>> read = readModule(buffer, *spelling, context);
  if (!read)
    return read.takeError();
  Module *module = read->get();

  std::string triple = module->getTargetTriple().str();
  if (triple.empty())
    return reject("target_triple_absent", "the module has no target triple");
  Triple canonical(Triple::normalize(triple));
  if (canonical.getArch() == Triple::UnknownArch)
    return reject("target_triple_unsupported", "unknown architecture in target triple '" + triple + "'");
  module->setTargetTriple(canonical);
  SymbolTableRebuilder().rebuild(*module);

  loom::NormalizedModule result;
  result.triple = canonical.str();
  result.layout = std::move(*spelling);
  raw_svector_ostream out(result.bitcode);
  WriteBitcodeToFile(*module, out, /*ShouldPreserveUseListOrder=*/false, /*Index=*/nullptr,
                     /*GenerateHash=*/false);
  return result;
}

void explain(Error error, std::string &code, std::string &message) {
  handleAllErrors(
      std::move(error),
      [&](const Rejection &rejection) {
        code = rejection.code;
        message = rejection.message;
      },
      [&](const ErrorInfoBase &other) {
        code = "llvm_module_unparsable";
        message = other.message();
      });
}

} // namespace

std::unique_ptr<Module> loom::readModule(StringRef bitcode, LLVMContext &context, std::string &layout,
                                         std::string &code, std::string &message) {
  loom_initialize_targets();
  MemoryBufferRef buffer(bitcode, "module");
  Expected<std::string> spelling = readDataLayoutSpelling(buffer);
  if (!spelling) {
    explain(spelling.takeError(), code, message);
    return nullptr;
  }
  // Module::setDataLayout aborts on a malformed string, so it is judged first.
  if (Expected<DataLayout> parsed = DataLayout::parse(*spelling); !parsed) {
    explain(reject("data_layout_invalid", parsed.takeError()), code, message);
    return nullptr;
  }
  layout = *spelling;
  Expected<std::unique_ptr<Module>> read = ::readModule(buffer, layout, context);
  if (read)
    return std::move(*read);
  explain(read.takeError(), code, message);
  return nullptr;
}

bool loom::normalizeModule(StringRef bitcode, NormalizedModule &result, std::string &code,
                           std::string &message) {
  loom_initialize_targets();
  Expected<NormalizedModule> normalized = normalize(bitcode);
  if (normalized) {
    result = std::move(*normalized);
    return true;
  }
  explain(normalized.takeError(), code, message);
  return false;
}

int loom_normalize(loom_bytes bitcode, loom_sink triple, loom_sink layout, loom_sink normalized,
                   loom_failure failure) {
  loom::NormalizedModule result;
  std::string code, message;
  if (!loom::normalizeModule(loom::text(bitcode), result, code, message)) {
    failure.fail(failure.context, loom::bytes(code), loom::bytes(message));
    return 1;
  }
  loom::put(triple, result.triple);
  loom::put(layout, result.layout);
  loom::put(normalized, {result.bitcode.data(), result.bitcode.size()});
  return 0;
}
