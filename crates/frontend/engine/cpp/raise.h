// Raising one linked module to S0: the values its steps share.

#pragma once

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace llvm {
class BasicBlock;
class Function;
class Module;
} // namespace llvm

namespace loom::raising {

/// Marks on terminators, loops and functions while raising runs; nothing published carries one of them.
inline constexpr llvm::StringLiteral latchMark = "loom.latch", countedMark = "loom.counted",
                                     spliceMark = "loom.changed";
/// What `--keep-hints` publishes on recovered loops and functions.
inline constexpr llvm::StringLiteral loopHint = "loom.candidate_loop_hint",
                                     functionHint = "loom.candidate_hint";
/// Where branch weights stay between the branch they came from and the branch they return to.
inline constexpr llvm::StringLiteral weightsAttribute = "llvm.branch_weights",
                                     annotationAttribute = "llvm.loop_annotation";

/// What became of one function that has a body.
struct FunctionOutcome {
  enum State {
    /// One block: nothing to lift.
    Straight,
    Lifted,
    /// In S0 with its control flow graph.
    Unstructured,
    /// In S0 as a declaration: MLIR cannot hold its body.
    Isolated,
  };
  State state = Straight;
  /// Why it is not lifted; a fixed word each.
  std::string reason;
  unsigned loops = 0, counted = 0, ifs = 0, switches = 0, scalars = 0;
};

/// What became of one candidate.
struct HintOutcome {
  std::string payload, function;
  bool loop = false;
  /// `found`, `retained`, or what is wrong.
  std::string state;
  /// The stable category where it is not found; empty otherwise.
  std::string category;
  /// A violation of the encoding, which no option tolerates.
  bool fatal = false;
  std::string message;
};

struct Outcome {
  std::map<std::string, FunctionOutcome> functions;
  /// Objects in S0 without their initializers, and why.
  std::map<std::string, std::string> isolatedGlobals;
  /// What MLIR does not represent, by kind.
  std::map<std::string, uint64_t> losses;
  std::vector<HintOutcome> hints;
};

/// A block of an LLVM function by its position among all blocks, the same before and after the import.
struct MarkedLoop {
  unsigned header = 0, latch = 0;
  /// Index into Outcome::hints, or -1.
  int hint = -1;
  /// Not 0: the latch leaves the loop after exactly as many rounds as its test compares with; 1 in signed, 2 in
  /// unsigned arithmetic.
  unsigned counted = 0;
};

/// The loops of one function that have to be known again after the import, and the edges that prove it is the same
/// graph: for each block its successors in order.
struct FunctionMarks {
  std::vector<MarkedLoop> loops;
  std::vector<std::vector<unsigned>> edges;
};

/// A failure with its stable code.
struct Failure {
  std::string code, message;
};

} // namespace loom::raising
