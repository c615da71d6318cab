// One module while it is raised: what all steps share, and the steps.

#pragma once

#include "loom_engine.h"
#include "raise.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <memory>

namespace loom::raising {

/// Each step needs the ones before it; one that fails says why in `failure`, and the object is then only good for its
/// outcome.
class Raising {
public:
  explicit Raising(const loom_raise_options &options);

  Outcome outcome;
  Failure failure;

  /// The module that owns everything, parsed and verified.
  bool read(llvm::StringRef bitcode);
  /// From the owner to verified S0.
  bool raise();
  /// From S0 back to the LLVM dialect, where the owner may take the body over.
  bool lower();
  /// The lowered bodies into the owner, verified.
  bool splice();

  const llvm::Module &linked() const { return *owner; }
  mlir::MLIRContext &mlir() { return context; }

  /// The owner as bitcode.
  std::string writeOwner();
  /// S0 as the options say.
  std::string writeModule();

private:
  const loom_raise_options &options;
  llvm::LLVMContext llvmContext;
  mlir::MLIRContext context;
  std::string layout;
  std::unique_ptr<llvm::Module> owner;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// Symbols of the owner that have a name only while it is raised.
  std::vector<llvm::GlobalValue *> named;
  llvm::StringMap<FunctionMarks> marks;

  void nameSymbols();
  bool import();
  void lift();
  bool verifies();
  void dropLocations();
  mlir::ScopedDiagnosticHandler listen(std::string &errors);
};

} // namespace loom::raising
