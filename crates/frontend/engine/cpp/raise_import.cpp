// A prepared module into MLIR's LLVM dialect.

#include "raise_import.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Target/LLVMIR/Import.h"

#include "llvm/IR/Module.h"

using namespace mlir;

namespace {

/// How the importer's warnings begin, and the kind of loss each stands for.
struct Known {
  llvm::StringLiteral text, kind;
};
constexpr Known knownWarnings[] = {
    {"unhandled metadata", "importer_unhandled_metadata"},
    {"unhandled function metadata", "importer_unhandled_function_metadata"},
    {"unhandled debug variable record", "importer_unhandled_debug_record"},
    {"unhandled debug record", "importer_unhandled_debug_record"},
    {"dropped instruction: call void @llvm.dbg", "importer_unhandled_debug_record"},
    {"dropped intrinsic", "importer_dropped_intrinsic"},
    {"unsupported module flag", "importer_unhandled_module_flag"},
    {"unhandled module flag", "importer_unhandled_module_flag"},
    {"cannot import instruction with metadata", "importer_unhandled_metadata"},
};

const Known *recognize(llvm::StringRef message) {
  for (const Known &it : knownWarnings)
    if (message.contains(it.text))
      return &it;
  return nullptr;
}

} // namespace

OwningOpRef<ModuleOp> loom::raising::importModule(std::unique_ptr<llvm::Module> module, MLIRContext &context,
                                                  Outcome &outcome, Failure &failure) {
  std::string unknown, errors;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    std::string message = diagnostic.str();
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      errors += (errors.empty() ? "" : "; ") + message;
    else if (const Known *known = recognize(message))
      ++outcome.losses[known->kind.str()];
    else if (diagnostic.getSeverity() == DiagnosticSeverity::Warning && unknown.empty())
      unknown = message;
    return success();
  });
  // Expensive warnings print an instruction of the whole module each, in quadratic time; the census counts what they
  // would tell.
  OwningOpRef<ModuleOp> imported =
      translateLLVMIRToModule(std::move(module), &context, /*emitExpensiveWarnings=*/false,
                              /*dropDICompositeTypeElements=*/false, /*loadAllDialects=*/false);
  if (!imported)
    failure = {"structured_raising_invalid", errors.empty() ? "the module cannot be imported into MLIR" : errors};
  else if (!unknown.empty())
    failure = {"structured_raising_loss_unknown", unknown};
  if (!failure.code.empty())
    return nullptr;
  return imported;
}
