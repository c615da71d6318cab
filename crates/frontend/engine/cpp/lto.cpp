// The merge of the selected modules by LLVM's own LTO library, stopped before code generation.

#include "loom_lto.h"

#include "bytes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/LTO/LTO.h"
#include "llvm/Support/Caching.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace {

/// What went wrong, with the inputs it is about.
struct Conflict {
  std::vector<std::string> inputs;
  std::string message;
};

lto::SymbolResolution resolutionOf(uint8_t bits) {
  lto::SymbolResolution resolution;
  resolution.Prevailing = (bits & LOOM_RESOLUTION_PREVAILING) != 0;
  resolution.FinalDefinitionInLinkageUnit = (bits & LOOM_RESOLUTION_FINAL) != 0;
  resolution.VisibleToRegularObj = (bits & LOOM_RESOLUTION_VISIBLE) != 0;
  resolution.ExportDynamic = (bits & LOOM_RESOLUTION_EXPORTED) != 0;
  resolution.LinkerRedefined = (bits & LOOM_RESOLUTION_REDEFINED) != 0;
  return resolution;
}

/// Definitions with a candidate hint stay, whatever internalization makes of them: raising wants to see them.
/// Internal ones are kept by their payload already.
void retainCandidates(Module &module) {
  LLVMContext &context = module.getContext();
  const unsigned function = context.getMDKindID("loom.candidate.function");
  const unsigned loops = context.getMDKindID("loom.candidate.loops");
  SmallVector<GlobalValue *, 16> candidates;
  for (Function &it : module)
    if (!it.isDeclarationForLinker() && (it.getMetadata(function) || it.getMetadata(loops)))
      candidates.push_back(&it);
  if (!candidates.empty())
    appendToCompilerUsed(module, candidates);
}

/// The value of a module flag as text, empty if the module has none of that name.
std::string flagOf(const loom_lto_input &input, StringRef key) {
  LLVMContext context;
  Expected<std::unique_ptr<Module>> module =
      getLazyBitcodeModule(MemoryBufferRef(loom::text(input.bitcode), "module"), context);
  if (!module) {
    consumeError(module.takeError());
    return {};
  }
  std::string text;
  raw_string_ostream out(text);
  if (Metadata *flag = (*module)->getModuleFlag(key))
    flag->printAsOperand(out, module->get());
  return text;
}

/// LLVM names the module that it could not add; the other side of a conflict of module flags is the first module
/// that has another value.
Conflict conflictAt(const loom_lto_input *inputs, size_t at, std::string message) {
  Conflict conflict{{loom::text(inputs[at].name).str()}, std::move(message)};
  StringRef rest(conflict.message);
  const StringRef start = "linking module flags '";
  size_t found = rest.find(start);
  if (found == StringRef::npos)
    return conflict;
  StringRef key = rest.substr(found + start.size()).split('\'').first;
  std::string value = flagOf(inputs[at], key);
  for (size_t i = 0; i < at; ++i) {
    std::string other = flagOf(inputs[i], key);
    if (other.empty() || other == value)
      continue;
    conflict.inputs.push_back(loom::text(inputs[i].name).str());
    conflict.message = ("module flag '" + key + "' is '" + value + "' in the first and '" + other +
                        "' in the second")
                           .str();
    break;
  }
  return conflict;
}

class Merge {
public:
  Merge(unsigned level) { configure(level); }

  /// False after a failure, which `conflict` holds then.
  bool run(const loom_lto_input *inputs, size_t count) {
    lto::LTO link(std::move(config), lto::createInProcessThinBackend(heavyweight_hardware_concurrency(1)),
                  /*ParallelCodeGenParallelismLevel=*/1);
    for (size_t i = 0; i < count; ++i)
      if (!add(link, inputs, i))
        return false;
    // Nothing is ever generated: the hook before code generation ends the run.
    auto stream = [](unsigned, const Twine &) -> Expected<std::unique_ptr<CachedFileStream>> {
      return createStringError("code generation was not asked for");
    };
    if (Error error = link.run(stream))
      return fail({{}, toString(std::move(error))});
    if (!problems.empty())
      return fail({{}, problems});
    if (linked.empty())
      return fail({{}, "LLVM ended the link without a module"});
    return true;
  }

  SmallVector<char, 0> linked;
  Conflict conflict;

private:
  lto::Config config;
  std::string problems;

  bool fail(Conflict it) {
    conflict = std::move(it);
    return false;
  }

  void configure(unsigned level) {
    config.OptLevel = level;
    config.RelocModel = std::nullopt;
    config.AlwaysEmitRegularLTOObj = true;
    config.DiagHandler = [this](const DiagnosticInfo &info) {
      if (info.getSeverity() != DS_Error)
        return;
      raw_string_ostream out(problems);
      DiagnosticPrinterRawOStream printer(out);
      if (!problems.empty())
        out << "; ";
      info.print(printer);
    };
    config.PostInternalizeModuleHook = [](unsigned, const Module &module) {
      // LLVM hands out its own module, which nothing else looks at during a hook.
      retainCandidates(const_cast<Module &>(module));
      return true;
    };
    config.PreCodeGenModuleHook = [this](unsigned, const Module &module) {
      raw_svector_ostream out(linked);
      WriteBitcodeToFile(module, out, /*ShouldPreserveUseListOrder=*/false, /*Index=*/nullptr,
                         /*GenerateHash=*/false);
      return false;
    };
  }

  bool add(lto::LTO &link, const loom_lto_input *inputs, size_t at) {
    const loom_lto_input &input = inputs[at];
    auto failed = [&](std::string message) { return fail(conflictAt(inputs, at, std::move(message))); };
    Expected<std::unique_ptr<lto::InputFile>> file =
        lto::InputFile::create(MemoryBufferRef(loom::text(input.bitcode), loom::text(input.name)));
    if (!file)
      return failed(toString(file.takeError()));
    if ((*file)->symbols().size() != input.count)
      return failed("the module has " + std::to_string((*file)->symbols().size()) + " symbols, resolved were " +
                    std::to_string(input.count));
    SmallVector<lto::SymbolResolution, 0> resolutions;
    for (size_t i = 0; i < input.count; ++i)
      resolutions.push_back(resolutionOf(input.resolutions[i]));
    if (Error error = link.add(std::move(*file), resolutions))
      return failed(toString(std::move(error)));
    return problems.empty() || failed(problems);
  }
};

} // namespace

int loom_lto_symbols(loom_bytes bitcode, void *context, void (*symbol)(void *context, const loom_lto_symbol *),
                     loom_failure failure) {
  loom_initialize_targets();
  Expected<std::unique_ptr<lto::InputFile>> file =
      lto::InputFile::create(MemoryBufferRef(loom::text(bitcode), "module"));
  if (!file) {
    std::string message = toString(file.takeError());
    failure.fail(failure.context, loom::bytes("llvm_module_unparsable"), loom::bytes(message));
    return 1;
  }
  for (const lto::InputFile::Symbol &it : (*file)->symbols()) {
    loom_lto_symbol row{loom::bytes(it.getName()), loom::bytes(""), loom::bytes(it.getSectionName()), 0, 0};
    if (it.getComdatIndex() >= 0)
      row.comdat = loom::bytes((*file)->getComdatTable()[it.getComdatIndex()].first);
    auto flag = [&](bool is, uint32_t bit) { row.flags |= is ? bit : 0; };
    flag(it.isUndefined(), LOOM_SYMBOL_UNDEFINED);
    flag(it.isWeak(), LOOM_SYMBOL_WEAK);
    flag(it.isCommon(), LOOM_SYMBOL_COMMON);
    flag(it.getVisibility() == GlobalValue::HiddenVisibility, LOOM_SYMBOL_HIDDEN);
    flag(it.getVisibility() == GlobalValue::ProtectedVisibility, LOOM_SYMBOL_PROTECTED);
    flag(it.isUsed(), LOOM_SYMBOL_USED);
    flag(it.canBeOmittedFromSymbolTable(), LOOM_SYMBOL_OMITTABLE);
    if (it.isCommon())
      row.common_size = it.getCommonSize();
    symbol(context, &row);
  }
  return 0;
}

int loom_same_layout(loom_bytes left, loom_bytes right, loom_failure failure) {
  Expected<DataLayout> first = DataLayout::parse(loom::text(left));
  Expected<DataLayout> second = DataLayout::parse(loom::text(right));
  if (first && second)
    return *first == *second;
  std::string message;
  for (Expected<DataLayout> *it : {&first, &second})
    if (!*it)
      message = toString(it->takeError());
  failure.fail(failure.context, loom::bytes("data_layout_invalid"), loom::bytes(message));
  return -1;
}

int loom_lto_merge(const loom_lto_input *inputs, size_t count, unsigned level, loom_sink linked,
                   loom_failure failure) {
  loom_initialize_targets();
  Merge merge(level);
  if (merge.run(inputs, count)) {
    loom::put(linked, {merge.linked.data(), merge.linked.size()});
    return 0;
  }
  std::string message;
  for (const std::string &input : merge.conflict.inputs)
    message += input + "\n";
  message += "\n" + merge.conflict.message;
  failure.fail(failure.context, loom::bytes("accelerator_link_failed"), loom::bytes(message));
  return 1;
}
