// Candidate hints on their way out of a module.
//
// What the provider wrote is checked as a whole: one manifest entry, one loop, in the function that carries the
// manifest. Whatever else LLVM made of it is reported as unproved; what no provider writes is an error.

#include "raise_hints.h"

#include "bytes.h"
#include "candidate_annotations.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace loom::raising;
using loom::Annotations;
using loom::bytes;

namespace {

constexpr StringLiteral functionMetadata = "loom.candidate.function", loopsMetadata = "loom.candidate.loops",
                        retentionMetadata = "loom.candidate.temporary_retention",
                        loopProperty = "llvm.loop.loom.candidate";

constexpr StringLiteral encoding = "candidate_hint_invalid_encoding", placement = "candidate_hint_invalid_placement",
                        construct = "candidate_hint_unsupported_construct",
                        projection = "candidate_hint_projection_proof_not_established";

/// A property found at the end of a block.
struct Property {
  const Function *function;
  const Instruction *terminator;
};

class Extraction {
public:
  Extraction(Module &module, int (*isHint)(loom_bytes), Outcome &outcome)
      : module(module), isHint(isHint), outcome(outcome) {}

  HintedLatches run() {
    if (Annotations::present(module))
      reject(construct, "", "", "the module holds a raw annotation of Loom: the provider has not projected it");
    for (Function &function : module) {
      takeFunctionHint(function);
      takeManifest(function);
      takeRetention(function);
      takeProperties(function);
    }
    HintedLatches latches = relate();
    for (const auto &[payload, found] : properties)
      if (!manifested.contains(payload))
        reject(encoding, found.front().function->getName(), payload,
               "a loop carries a candidate that no manifest lists");
    return latches;
  }

private:
  Module &module;
  int (*isHint)(loom_bytes);
  Outcome &outcome;
  MapVector<StringRef, std::vector<Property>> properties;
  DenseSet<StringRef> manifested;
  StringMap<int> functionHints;

  HintOutcome &addRow(StringRef function, StringRef payload, bool loop, StringRef state) {
    HintOutcome row;
    row.function = function.str();
    row.payload = payload.str();
    row.loop = loop;
    row.state = state.str();
    outcome.hints.push_back(std::move(row));
    return outcome.hints.back();
  }

  void reject(StringRef category, StringRef function, StringRef payload, const Twine &message) {
    HintOutcome &row = addRow(function, payload, false, "malformed");
    row.category = category.str();
    row.fatal = true;
    row.message = message.str();
  }

  /// The hint in `operand`, empty after a complaint if it is none of this kind.
  StringRef hintOf(const Metadata *operand, StringRef schema, const Function &function) {
    auto *text = dyn_cast_or_null<MDString>(operand);
    if (text && text->getString().starts_with(schema) && isHint(bytes(text->getString())))
      return text->getString();
    reject(encoding, function.getName(), text ? text->getString() : "", "a candidate's hint is malformed");
    return {};
  }

  void takeFunctionHint(Function &function) {
    MDNode *node = function.getMetadata(functionMetadata);
    if (!node)
      return;
    function.setMetadata(functionMetadata, nullptr);
    if (function.isDeclaration() || node->getNumOperands() != 1)
      return reject(encoding, function.getName(), "", "a function's candidate is malformed");
    StringRef payload = hintOf(node->getOperand(0), "loom.candidate.function.", function);
    if (payload.empty())
      return;
    addRow(function.getName(), payload, false, "found");
    auto [known, isNew] = functionHints.try_emplace(payload, outcome.hints.size() - 1);
    if (isNew)
      return;
    for (int row : {known->second, static_cast<int>(outcome.hints.size() - 1)})
      refuteHint(outcome.hints[row], "cloned", "several functions carry this candidate");
  }

  void takeManifest(Function &function) {
    MDNode *node = function.getMetadata(loopsMetadata);
    if (!node)
      return;
    function.setMetadata(loopsMetadata, nullptr);
    if (node->getNumOperands() == 0)
      return reject(encoding, function.getName(), "", "a function's manifest of candidate loops is empty");
    for (const MDOperand &operand : node->operands()) {
      StringRef payload = hintOf(operand, "loom.candidate.loop.", function);
      if (payload.empty())
        continue;
      if (!manifested.insert(payload).second)
        reject(placement, function.getName(), payload, "manifests list a candidate loop twice");
      else
        addRow(function.getName(), payload, true, "found");
    }
  }

  void takeRetention(Function &function) {
    if (!function.getMetadata(retentionMetadata))
      return;
    function.setMetadata(retentionMetadata, nullptr);
    addRow(function.getName(), "", false, "retained").message =
        "the definition is here for its hint; the object it came from has none";
  }

  void takeProperties(Function &function) {
    DenseMap<MDNode *, MDNode *> stripped;
    for (BasicBlock &block : function) {
      Instruction *terminator = block.getTerminator();
      MDNode *node = terminator->getMetadata(LLVMContext::MD_loop);
      if (!node)
        continue;
      SmallVector<Metadata *> kept{nullptr};
      unsigned found = 0;
      for (const MDOperand &operand : drop_begin(node->operands())) {
        auto *property = dyn_cast_or_null<MDNode>(operand.get());
        auto *name = property && property->getNumOperands() ? dyn_cast_or_null<MDString>(property->getOperand(0)) : nullptr;
        if (!name || name->getString() != loopProperty) {
          kept.push_back(operand.get());
          continue;
        }
        ++found;
        if (property->getNumOperands() != 2 || node->getOperand(0) != node) {
          reject(encoding, function.getName(), "", "a loop's candidate is malformed");
          continue;
        }
        StringRef payload = hintOf(property->getOperand(1), "loom.candidate.loop.", function);
        if (!payload.empty())
          properties[payload].push_back({&function, terminator});
      }
      if (found == 0)
        continue;
      if (found > 1)
        reject(placement, function.getName(), "", "a loop carries two candidates");
      MDNode *&replacement = stripped[node];
      if (!replacement && kept.size() > 1) {
        replacement = MDNode::getDistinct(node->getContext(), kept);
        replacement->replaceOperandWith(0, replacement);
      }
      terminator->setMetadata(LLVMContext::MD_loop, replacement);
    }
  }

  HintedLatches relate() {
    HintedLatches latches;
    DenseMap<const BasicBlock *, int> headers;
    for (int at = 0, end = outcome.hints.size(); at != end; ++at) {
      HintOutcome &row = outcome.hints[at];
      if (!row.loop || row.state != "found")
        continue;
      auto known = properties.find(row.payload);
      if (known == properties.end()) {
        refuteHint(row, "erased", "the optimizer erased or rewrote the loop");
        continue;
      }
      const Property &property = known->second.front();
      if (known->second.size() > 1) {
        refuteHint(row, "cloned", "the optimizer made " + Twine(known->second.size()) + " loops of it");
      } else if (property.function->getName() != row.function) {
        refuteHint(row, "moved", "the loop is in '" + property.function->getName() + "' now, by inlining");
      } else {
        const BasicBlock *latch = property.terminator->getParent();
        DominatorTree dominators(*const_cast<Function *>(property.function));
        LoopInfo loops(dominators);
        const Loop *loop = loops.getLoopFor(latch);
        if (!loop || !loop->isLoopLatch(latch)) {
          refuteHint(row, "misplaced", "the branch that carries the candidate closes no loop");
        } else if (!loop->getLoopLatch()) {
          refuteHint(row, "split", "the loop has several latches");
        } else if (!headers.try_emplace(loop->getHeader(), at).second) {
          refuteHint(row, "merged", "the loop carries two candidates");
        } else {
          latches[latch] = {at, loop->getHeader()};
        }
      }
    }
    return latches;
  }
};

} // namespace

void loom::raising::refuteHint(HintOutcome &hint, StringRef state, const Twine &message) {
  hint.state = state.str();
  hint.category = projection.str();
  hint.message = message.str();
}

HintedLatches loom::raising::takeHints(Module &clone, int (*isHint)(loom_bytes), Outcome &outcome) {
  return Extraction(clone, isHint, outcome).run();
}
