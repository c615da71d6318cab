// LLVM modules into MLIR.

#include "bytes.h"

#include "mlir-c/IR.h"
#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMIRToLLVMTranslation.h"
#include "mlir/Target/LLVMIR/Import.h"

#include "llvm-c/Core.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

static mlir::MLIRContext *contextOf(void *pointer) {
  return unwrap(MlirContext{pointer});
}

void loom_load_import_dialects(void *pointer) {
  mlir::MLIRContext *context = contextOf(pointer);
  mlir::DialectRegistry registry;
  registry.insert<mlir::DLTIDialect, mlir::LLVM::LLVMDialect>();
  mlir::registerLLVMDialectImport(registry);
  context->appendDialectRegistry(registry);
  // The importer needs these two loaded before it starts.
  context->loadDialect<mlir::DLTIDialect, mlir::LLVM::LLVMDialect>();
}

void *loom_import_into_mlir(void *module, void *pointer, loom_failure failure) {
  mlir::MLIRContext *context = contextOf(pointer);
  // Whatever the importer has to say becomes part of the failure, never text on standard error.
  std::string messages;
  mlir::ScopedDiagnosticHandler handler(context, [&](mlir::Diagnostic &diagnostic) {
    llvm::raw_string_ostream out(messages);
    if (!messages.empty())
      out << "; ";
    out << diagnostic.str();
    return mlir::success();
  });
  std::unique_ptr<llvm::Module> clone = llvm::CloneModule(*llvm::unwrap(static_cast<LLVMModuleRef>(module)));
  mlir::OwningOpRef<mlir::ModuleOp> imported =
      mlir::translateLLVMIRToModule(std::move(clone), context, /*emitExpensiveWarnings=*/true,
                                    /*dropDICompositeTypeElements=*/false, /*loadAllDialects=*/false);
  if (!imported) {
    failure.fail(failure.context, loom::bytes("structured_raising_invalid"),
                 loom::bytes(messages.empty() ? "the module cannot be imported into MLIR" : messages));
    return nullptr;
  }
  return const_cast<void *>(wrap(imported.release()).ptr);
}
