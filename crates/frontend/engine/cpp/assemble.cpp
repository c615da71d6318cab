// One cc1as job, run in this process.

#include "assemble.h"

#include "loom_engine.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticDriver.h"
#include "clang/Basic/DiagnosticFrontend.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Frontend/Utils.h"
#include "clang/Options/Options.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCObjectWriter.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormattedStream.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace clang;
using namespace llvm::opt;
using llvm::StringRef;

namespace {

/// A job's command line, checked once and asked by name from then on.
class Job {
public:
  Job(llvm::ArrayRef<const char *> arguments, DiagnosticsEngine &diagnostics) {
    unsigned missingIndex = 0, missingCount = 0;
    const OptTable &table = getDriverOptTable();
    Visibility visible(options::CC1AsOption);
    list = table.ParseArgs(arguments, missingIndex, missingCount, visible);
    if (missingCount) {
      diagnostics.Report(diag::err_drv_missing_argument) << list.getArgString(missingIndex) << missingCount;
      valid = false;
    }
    for (const Arg *unknown : list.filtered(options::OPT_UNKNOWN)) {
      std::string spelling = unknown->getAsString(list), nearest;
      if (table.findNearest(spelling, nearest, visible) > 1)
        diagnostics.Report(diag::err_drv_unknown_argument) << spelling;
      else
        diagnostics.Report(diag::err_drv_unknown_argument_with_suggestion) << spelling << nearest;
      valid = false;
    }
    bool first = true;
    for (const Arg *input : list.filtered(options::OPT_INPUT)) {
      if (first) {
        inputFile = input->getValue();
      } else {
        diagnostics.Report(diag::err_drv_unknown_argument) << input->getAsString(list);
        valid = false;
      }
      first = false;
    }
    std::string named = text(options::OPT_triple).str();
    triple = llvm::Triple(named.empty() ? llvm::sys::getDefaultTargetTriple() : llvm::Triple::normalize(named));
    StringRef kind = text(options::OPT_filetype, "asm");
    if (kind == "asm" || kind == "null" || kind == "obj") {
      fileType = kind;
    } else {
      diagnostics.Report(diag::err_drv_invalid_value) << "-filetype" << kind;
      valid = false;
    }
    dwarfVersion = getLastArgIntValue(list, options::OPT_dwarf_version_EQ, 2, diagnostics);
  }

  bool has(OptSpecifier option) const { return list.hasArg(option); }
  StringRef text(OptSpecifier option, StringRef otherwise = "") const {
    return list.getLastArgValue(option, otherwise);
  }
  StringRef text(OptSpecifier one, OptSpecifier other) const {
    const Arg *last = list.getLastArg(one, other);
    return last ? StringRef(last->getValue()) : StringRef();
  }
  std::vector<std::string> all(OptSpecifier option) const { return list.getAllArgValues(option); }
  bool debugInfo() const { return has(options::OPT_debug_info_kind_EQ); }

  InputArgList list;
  bool valid = true;
  std::string inputFile = "-";
  llvm::Triple triple;
  StringRef fileType;
  unsigned dwarfVersion = 2;
};

llvm::MCTargetOptions targetOptions(const Job &job) {
  llvm::MCTargetOptions it;
  it.MCRelaxAll = job.has(options::OPT_mrelax_all);
  it.MCNoExecStack = job.has(options::OPT_mno_exec_stack);
  it.MCFatalWarnings = job.has(options::OPT_massembler_fatal_warnings);
  it.MCNoWarn = job.has(options::OPT_massembler_no_warn);
  it.MCNoTypeCheck = job.has(options::OPT_mno_type_check);
  it.MCSaveTempLabels = job.has(options::OPT_msave_temp_labels);
  it.MCIncrementalLinkerCompatible = job.has(options::OPT_mincremental_linker_compatible);
  it.ShowMCEncoding = job.has(options::OPT_show_encoding);
  it.ShowMCInst = job.has(options::OPT_show_inst);
  it.Dwarf64 = job.has(options::OPT_gdwarf64);
  it.DwarfVersion = job.dwarfVersion;
  it.Crel = job.has(options::OPT_crel);
  it.ImplicitMapSyms = job.has(options::OPT_mmapsyms_implicit);
  it.X86RelaxRelocations = !job.has(options::OPT_mrelax_relocations_no);
  it.X86Sse2Avx = job.has(options::OPT_msse2avx);
  it.EmitCompactUnwindNonCanonical = job.has(options::OPT_femit_compact_unwind_non_canonical);
  it.EmitSFrameUnwind = job.has(options::OPT_gsframe);
  it.AsSecureLogFile = job.text(options::OPT_as_secure_log_file).str();
  it.ABIName = job.text(options::OPT_target_abi).str();
  it.SplitDwarfFile = job.text(options::OPT_split_dwarf_output).str();
  it.IASSearchPaths = job.all(options::OPT_I);
  it.EmitDwarfUnwind =
      llvm::StringSwitch<llvm::EmitDwarfUnwindType>(job.text(options::OPT_femit_dwarf_unwind_EQ))
          .Case("always", llvm::EmitDwarfUnwindType::Always)
          .Case("no-compact-unwind", llvm::EmitDwarfUnwindType::NoCompactUnwind)
          .Default(llvm::EmitDwarfUnwindType::Default);
  it.CompressDebugSections =
      llvm::StringSwitch<llvm::DebugCompressionType>(job.text(options::OPT_compress_debug_sections_EQ))
          .Case("zlib", llvm::DebugCompressionType::Zlib)
          .Case("zstd", llvm::DebugCompressionType::Zstd)
          .Default(llvm::DebugCompressionType::None);
  unsigned variant;
  if (!job.text(options::OPT_output_asm_variant).getAsInteger(10, variant))
    it.OutputAsmVariant = variant;
  return it;
}

/// Debug information about the assembly source itself (-g on a .s file).
void describeSource(llvm::MCContext &context, const Job &job, StringRef source) {
  StringRef directory = job.text(options::OPT_fdebug_compilation_dir_EQ, options::OPT_fdebug_compilation_dir);
  if (!directory.empty()) {
    context.setCompilationDir(directory);
  } else if (llvm::SmallString<128> current; !llvm::sys::fs::current_path(current)) {
    context.setCompilationDir(current);
  }
  for (const std::string &entry : job.all(options::OPT_fdebug_prefix_map_EQ)) {
    auto [from, to] = StringRef(entry).split('=');
    context.addDebugPrefixMapEntry(from.str(), to.str());
  }
  if (StringRef name = job.text(options::OPT_main_file_name); !name.empty())
    context.setMainFileName(name);
  context.setDwarfFormat(job.has(options::OPT_gdwarf64) ? llvm::dwarf::DWARF64 : llvm::dwarf::DWARF32);
  context.setDwarfVersion(job.dwarfVersion);
  if (!job.debugInfo())
    return;
  context.setGenDwarfForAssembly(true);
  if (StringRef flags = job.text(options::OPT_dwarf_debug_flags); !flags.empty())
    context.setDwarfDebugFlags(flags);
  if (StringRef producer = job.text(options::OPT_dwarf_debug_producer); !producer.empty())
    context.setDwarfDebugProducer(producer);
  context.setGenDwarfRootFile(job.inputFile, source);
}

/// An output file that disappears with a signal, and with a failure of the job.
class OutputFile {
public:
  OutputFile(StringRef path, bool binary, DiagnosticsEngine &diagnostics) : path(path) {
    if (path != "-")
      llvm::sys::RemoveFileOnSignal(path);
    std::error_code error;
    stream = std::make_unique<llvm::raw_fd_ostream>(
        path, error, binary ? llvm::sys::fs::OF_None : llvm::sys::fs::OF_TextWithCRLF);
    if (error) {
      diagnostics.Report(diag::err_fe_unable_to_open_output) << path << error.message();
      stream = nullptr;
    }
  }

  void finish(bool keep) {
    stream->flush();
    stream = nullptr;
    if (path == "-")
      return;
    if (!keep)
      llvm::sys::fs::remove(path);
    llvm::sys::DontRemoveFileOnSignal(path);
  }

  std::string path;
  std::unique_ptr<llvm::raw_fd_ostream> stream;
};

/// Everything about the target that assembling needs, made once per job.
struct Machine {
  const llvm::Target *target = nullptr;
  std::unique_ptr<llvm::MCRegisterInfo> registers;
  std::unique_ptr<llvm::MCAsmInfo> dialect;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget;
  std::unique_ptr<llvm::MCInstrInfo> instructions;

  bool prepare(const Job &job, const llvm::MCTargetOptions &options, DiagnosticsEngine &diagnostics) {
    std::string error;
    target = llvm::TargetRegistry::lookupTarget(job.triple, error);
    if (!target) {
      diagnostics.Report(diag::err_target_unknown_triple) << job.triple.str();
      return false;
    }
    registers.reset(target->createMCRegInfo(job.triple));
    dialect.reset(target->createMCAsmInfo(*registers, job.triple, options));
    std::string features = llvm::join(job.all(clang::options::OPT_target_feature), ",");
    StringRef processor = job.text(clang::options::OPT_target_cpu);
    subtarget.reset(target->createMCSubtargetInfo(job.triple, processor, features));
    if (!subtarget) {
      diagnostics.Report(diag::err_fe_unable_to_create_subtarget)
          << processor << features.empty() << features;
      return false;
    }
    instructions.reset(target->createMCInstrInfo());
    return true;
  }
};

std::unique_ptr<llvm::MCStreamer> makeStreamer(const Job &job, const Machine &machine, llvm::MCContext &context,
                                               const llvm::MCTargetOptions &options,
                                               llvm::raw_pwrite_stream &out, llvm::raw_pwrite_stream *splitOut) {
  const llvm::Target &target = *machine.target;
  if (job.fileType == "null")
    return std::unique_ptr<llvm::MCStreamer>(target.createNullStreamer(context));
  std::unique_ptr<llvm::MCAsmBackend> backend(
      target.createMCAsmBackend(*machine.subtarget, *machine.registers, options));
  if (job.fileType == "asm") {
    unsigned variant = options.OutputAsmVariant.value_or(machine.dialect->getAssemblerDialect());
    std::unique_ptr<llvm::MCInstPrinter> printer(target.createMCInstPrinter(
        job.triple, variant, *machine.dialect, *machine.instructions, *machine.registers));
    std::unique_ptr<llvm::MCCodeEmitter> encoder;
    if (options.ShowMCEncoding)
      encoder.reset(target.createMCCodeEmitter(*machine.instructions, context));
    return std::unique_ptr<llvm::MCStreamer>(
        target.createAsmStreamer(context, std::make_unique<llvm::formatted_raw_ostream>(out),
                                 std::move(printer), std::move(encoder), std::move(backend)));
  }
  std::unique_ptr<llvm::MCCodeEmitter> encoder(target.createMCCodeEmitter(*machine.instructions, context));
  std::unique_ptr<llvm::MCObjectWriter> writer =
      splitOut ? backend->createDwoObjectWriter(out, *splitOut) : backend->createObjectWriter(out);
  return std::unique_ptr<llvm::MCStreamer>(target.createMCObjectStreamer(
      job.triple, context, std::move(backend), std::move(writer), std::move(encoder), *machine.subtarget));
}

bool assemble(const Job &job, DiagnosticsEngine &diagnostics,
              llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files) {
  auto source = llvm::MemoryBuffer::getFileOrSTDIN(job.inputFile, /*IsText=*/true);
  if (std::error_code error = source.getError()) {
    diagnostics.Report(diag::err_fe_error_reading) << job.inputFile << error.message();
    return false;
  }
  llvm::MCTargetOptions options = targetOptions(job);
  Machine machine;
  if (!machine.prepare(job, options, diagnostics))
    return false;

  llvm::SourceMgr sources;
  StringRef text = (*source)->getBuffer();
  sources.AddNewSourceBuffer(std::move(*source), llvm::SMLoc());
  sources.setIncludeDirs(options.IASSearchPaths);
  sources.setVirtualFileSystem(files);

  bool object = job.fileType == "obj";
  OutputFile output(job.text(clang::options::OPT_o, "-"), object, diagnostics);
  if (!output.stream)
    return false;
  std::optional<OutputFile> split;
  if (!options.SplitDwarfFile.empty()) {
    split.emplace(options.SplitDwarfFile, object, diagnostics);
    if (!split->stream)
      return false;
  }

  bool ok;
  {
    llvm::MCContext context(job.triple, machine.dialect.get(), machine.registers.get(), machine.subtarget.get(),
                            &sources, &options);
    bool positionIndependent = job.text(clang::options::OPT_mrelocation_model, "pic") == "pic";
    std::unique_ptr<llvm::MCObjectFileInfo> objectFile(
        machine.target->createMCObjectFileInfo(context, positionIndependent));
    context.setObjectFileInfo(objectFile.get());
    describeSource(context, job, text);

    // Object writers patch what they have written; a pipe needs a buffer for that.
    std::unique_ptr<llvm::buffer_ostream> buffered;
    llvm::raw_pwrite_stream *out = output.stream.get();
    if (object && !output.stream->supportsSeeking()) {
      buffered = std::make_unique<llvm::buffer_ostream>(*output.stream);
      out = buffered.get();
    }
    std::unique_ptr<llvm::MCStreamer> streamer =
        makeStreamer(job, machine, context, options, *out, split ? split->stream.get() : nullptr);
    if (object)
      streamer->initSections(options.MCNoExecStack, *machine.subtarget);

    std::unique_ptr<llvm::MCAsmParser> parser(
        llvm::createMCAsmParser(sources, context, *streamer, *machine.dialect));
    std::unique_ptr<llvm::MCTargetAsmParser> targetParser(
        machine.target->createMCAsmParser(*machine.subtarget, *parser, *machine.instructions, options));
    if (!targetParser) {
      diagnostics.Report(diag::err_target_unknown_triple) << job.triple.str();
      ok = false;
    } else {
      for (const std::string &definition : job.all(clang::options::OPT_defsym)) {
        auto [symbol, value] = StringRef(definition).split('=');
        int64_t number = 0;
        value.getAsInteger(0, number);
        context.setSymbolValue(*streamer, symbol, number);
      }
      parser->setTargetParser(*targetParser);
      ok = !parser->Run(job.has(clang::options::OPT_n));
    }
  }
  output.finish(ok);
  if (split)
    split->finish(ok);
  return ok;
}

} // namespace

int loom::runCc1as(llvm::ArrayRef<const char *> arguments,
                   llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files) {
  loom_initialize_targets();
  llvm::cl::ResetAllOptionOccurrences();
  DiagnosticOptions options;
  auto *printer = new TextDiagnosticPrinter(llvm::errs(), options);
  printer->setPrefix("clang -cc1as");
  DiagnosticsEngine diagnostics(DiagnosticIDs::create(), options, printer);

  Job job(arguments.drop_front(), diagnostics);
  if (!job.valid || diagnostics.hasErrorOccurred())
    return 1;
  if (std::vector<std::string> llvmOptions = job.all(options::OPT_mllvm); !llvmOptions.empty()) {
    std::vector<const char *> list{"clang (LLVM option parsing)"};
    for (const std::string &option : llvmOptions)
      list.push_back(option.c_str());
    llvm::cl::ParseCommandLineOptions(list.size(), list.data());
  }
  return assemble(job, diagnostics, files) ? 0 : 1;
}
