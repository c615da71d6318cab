// What raising costs beside upstream's import of the same module.

#include "bytes.h"
#include "raise_module.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Target/LLVMIR/Import.h"

#include "llvm/Transforms/Utils/Cloning.h"

#include <ctime>

using namespace loom::raising;

/// Microseconds of processor time of this process.
static uint64_t now() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec * 1000000ull + time.tv_nsec / 1000;
}

template <typename Work> static bool measure(uint64_t &figure, Work work) {
  uint64_t begin = now();
  bool done = work();
  figure = now() - begin;
  return done;
}

int loom_measure_raising(loom_bytes bitcode, size_t rounds, uint64_t *figures, loom_failure failure) {
  loom_raise_options options{};
  options.locations = 1;
  options.is_hint = [](loom_bytes) { return 1; };
  for (size_t round = 0; round != rounds; ++round) {
    uint64_t *row = figures + 4 * round;
    Failure reason;
    bool done;
    {
      // A context of its own, as raising has.
      Raising plain(options);
      done = plain.read(loom::text(bitcode)) && measure(row[0], [&] {
        auto imported =
            mlir::translateLLVMIRToModule(llvm::CloneModule(plain.linked()), &plain.mlir(),
                                          /*emitExpensiveWarnings=*/false, /*dropDICompositeTypeElements=*/false,
                                          /*loadAllDialects=*/false);
        return imported && mlir::succeeded(mlir::verify(*imported));
      });
      reason = plain.failure;
    }
    if (done) {
      Raising raising(options);
      done = raising.read(loom::text(bitcode)) && measure(row[1], [&] { return raising.raise(); }) &&
             measure(row[2], [&] { return raising.lower(); }) && measure(row[3], [&] { return raising.splice(); });
      reason = raising.failure;
    }
    if (!done) {
      if (reason.code.empty())
        reason = {"structured_raising_invalid", "the module cannot be imported into MLIR"};
      failure.fail(failure.context, loom::bytes(reason.code), loom::bytes(reason.message));
      return 1;
    }
  }
  return 0;
}
