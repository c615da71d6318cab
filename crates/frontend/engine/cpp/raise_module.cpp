// One linked module to S0, or there and back: the order of the steps.

#include "bytes.h"
#include "normalize.h"
#include "raise_census.h"
#include "raise_for.h"
#include "raise_hints.h"
#include "raise_import.h"
#include "raise_isolate.h"
#include "raise_lift.h"
#include "raise_lower.h"
#include "raise_marks.h"
#include "raise_module.h"
#include "raise_report.h"
#include "raise_scalars.h"
#include "raise_scev.h"
#include "raise_splice.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMIRToLLVMTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"

#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace loom::raising;

static mlir::DialectRegistry dialects() {
  mlir::DialectRegistry registry;
  registry.insert<mlir::DLTIDialect, mlir::LLVM::LLVMDialect, mlir::arith::ArithDialect, mlir::scf::SCFDialect>();
  mlir::registerLLVMDialectImport(registry);
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
  return registry;
}

Raising::Raising(const loom_raise_options &options)
    : options(options), context(dialects(), options.threads ? mlir::MLIRContext::Threading::ENABLED
                                                            : mlir::MLIRContext::Threading::DISABLED) {
  context.loadDialect<mlir::DLTIDialect, mlir::LLVM::LLVMDialect, mlir::arith::ArithDialect, mlir::scf::SCFDialect>();
  // Only for marks, which are gone before anything is published, and for what --keep-hints asks for.
  context.allowUnregisteredDialects();
}

bool Raising::read(llvm::StringRef bitcode) {
  owner = loom::readModule(bitcode, llvmContext, layout, failure.code, failure.message);
  if (owner)
    nameSymbols();
  return owner != nullptr;
}

bool Raising::raise() {
  if (!import())
    return false;
  lift();
  return verifies();
}

bool Raising::lower() {
  mlir::StringAttr mark = mlir::StringAttr::get(&context, spliceMark);
  std::string errors;
  auto handler = listen(errors);
  for (auto function : module->getOps<mlir::LLVM::LLVMFuncOp>()) {
    if (function.isExternal())
      continue;
    const FunctionOutcome &known = outcome.functions[function.getName().str()];
    // Where anything about a body was in doubt, the owner's stays.
    if (!known.reason.empty())
      continue;
    function->setDiscardableAttr(mark, mlir::UnitAttr::get(&context));
    if (mlir::failed(lowerFunction(function))) {
      failure = {"structured_lowering_failed", errors};
      return false;
    }
  }
  return true;
}

bool Raising::splice() { return spliceBodies(*module, *owner, failure); }

std::string Raising::writeOwner() {
  for (llvm::GlobalValue *value : named)
    value->setName("");
  std::string bytes;
  llvm::raw_string_ostream out(bytes);
  llvm::WriteBitcodeToFile(*owner, out);
  return bytes;
}

std::string Raising::writeModule() {
  if (!options.locations)
    dropLocations();
  std::string bytes;
  llvm::raw_string_ostream out(bytes);
  if (options.bytecode)
    (void)mlir::writeBytecodeToFile(*module, out, mlir::BytecodeWriterConfig("Loom"));
  else
    module->print(out, mlir::OpPrintingFlags().enableDebugInfo(options.locations != 0));
  return bytes;
}

/// Collects the first error instead of letting it reach standard error.
mlir::ScopedDiagnosticHandler Raising::listen(std::string &errors) {
  return mlir::ScopedDiagnosticHandler(&context, [&errors](mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error && errors.empty())
      errors = diagnostic.str();
    return mlir::success();
  });
}

/// MLIR finds symbols by name.
void Raising::nameSymbols() {
  unsigned next = 0;
  for (llvm::GlobalValue &value : owner->global_values())
    if (!value.hasName()) {
      named.push_back(&value);
      value.setName("loom.unnamed." + llvm::Twine(next++));
    }
}

bool Raising::import() {
  std::unique_ptr<llvm::Module> clone = llvm::CloneModule(*owner);
  judgeModule(*clone, outcome);
  HintedLatches hinted = takeHints(*clone, options.is_hint, outcome);
  for (auto it = hinted.begin(), end = hinted.end(); it != end; ++it)
    if (outcome.functions[it->first->getParent()->getName().str()].state == FunctionOutcome::Isolated)
      hinted.erase(it);
  isolateJudged(*clone, outcome);
  for (llvm::Function &function : *clone) {
    if (function.isDeclaration() || !outcome.functions[function.getName().str()].reason.empty())
      continue;
    FunctionMarks found = markLoops(function, hinted, countRounds(function));
    if (!found.loops.empty())
      marks[function.getName()] = std::move(found);
  }
  if (!takeCensus(*clone, outcome, failure))
    return false;
  module = importModule(std::move(clone), context, outcome, failure);
  if (!module)
    return false;
  (*module)->setAttr(mlir::LLVM::LLVMDialect::getDataLayoutAttrName(), mlir::StringAttr::get(&context, layout));
  return true;
}

void Raising::lift() {
  std::string ignored;
  auto handler = listen(ignored);
  for (auto function : module->getOps<mlir::LLVM::LLVMFuncOp>()) {
    if (function.isExternal())
      continue;
    FunctionOutcome &known = outcome.functions[function.getName().str()];
    Headers headers;
    if (auto found = marks.find(function.getName()); found != marks.end())
      applyMarks(function, found->second, headers);
    liftFunction(function, headers, known);
    if (known.state == FunctionOutcome::Lifted) {
      countLoops(function, known);
      eraseUnused(function);
    }
    known.scalars = raiseScalars(function);
  }
  proveHints(*module, outcome, options.keep_hints);
}

bool Raising::verifies() {
  std::string errors;
  auto handler = listen(errors);
  if (mlir::succeeded(mlir::verify(*module)))
    return true;
  failure = {"structured_raising_invalid", errors};
  return false;
}

void Raising::dropLocations() {
  mlir::Location none = mlir::UnknownLoc::get(&context);
  module->getOperation()->walk([&](mlir::Operation *op) {
    op->setLoc(none);
    for (mlir::Region &region : op->getRegions())
      for (mlir::Block &block : region)
        for (mlir::BlockArgument argument : block.getArguments())
          argument.setLoc(none);
  });
}

/// What the hints alone forbid.
static const HintOutcome *findRefusal(const Outcome &outcome, bool required) {
  for (const HintOutcome &hint : outcome.hints)
    if (hint.fatal || (required && !hint.category.empty()))
      return &hint;
  return nullptr;
}

int loom_raise(loom_bytes bitcode, const loom_raise_options *options, loom_sink output, loom_sink report,
               loom_failure failure) {
  loom_initialize_targets();
  Raising raising(*options);
  auto fail = [&](llvm::StringRef code, llvm::StringRef message) {
    failure.fail(failure.context, loom::bytes(code), loom::bytes(message));
    return 1;
  };
  bool raised = raising.read(loom::text(bitcode)) && raising.raise();
  if (!raised && raising.failure.code.empty())
    raising.failure = {"structured_raising_invalid", "the module cannot be raised"};
  loom::put(report, writeReport(raising.outcome));
  if (const HintOutcome *hint = findRefusal(raising.outcome, options->require_hints))
    return fail(hint->category, "'" + hint->function + "': " + hint->message);
  if (!raised || (options->lower && !(raising.lower() && raising.splice())))
    return fail(raising.failure.code, raising.failure.message);
  loom::put(output, options->lower ? raising.writeOwner() : raising.writeModule());
  return 0;
}
