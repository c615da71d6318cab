// LLVM's constant folder as an authority that other folders are checked against.

#include "bytes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace {

/// The constant of type `type` with the low bits `bits`, or null for a type that is neither an integer nor a
/// float of at most 64 bits.
Constant *constant(Type *type, uint64_t bits) {
  unsigned width = type->getPrimitiveSizeInBits();
  if (width == 0 || width > 64)
    return nullptr;
  APInt value(64, bits);
  value = value.trunc(width);
  if (type->isIntegerTy())
    return ConstantInt::get(type, value);
  if (type->isFloatingPointTy())
    return ConstantFP::get(type, APFloat(type->getFltSemantics(), value));
  return nullptr;
}

/// The bits of a folded constant; nothing for poison, undef and everything that is no plain number.
std::optional<uint64_t> bitsOf(const Constant *value) {
  if (const auto *integer = dyn_cast_or_null<ConstantInt>(value))
    return integer->getZExtValue();
  if (const auto *number = dyn_cast_or_null<ConstantFP>(value))
    return number->getValueAPF().bitcastToAPInt().getZExtValue();
  return std::nullopt;
}

/// Folds the straight-line function from its first instruction to its return.
std::optional<uint64_t> fold(const Function &function, ArrayRef<Constant *> arguments) {
  DenseMap<const Value *, Constant *> known;
  for (const Argument &argument : function.args())
    known[&argument] = arguments[argument.getArgNo()];
  auto lookUp = [&](Value *value) -> Constant * {
    if (auto *constant = dyn_cast<Constant>(value))
      return constant;
    return known.lookup(value);
  };
  const DataLayout &layout = function.getDataLayout();
  for (const Instruction &instruction : function.getEntryBlock()) {
    if (const auto *result = dyn_cast<ReturnInst>(&instruction))
      return result->getReturnValue() ? bitsOf(lookUp(result->getReturnValue())) : std::nullopt;
    SmallVector<Constant *, 4> operands;
    for (Value *operand : instruction.operands()) {
      operands.push_back(lookUp(operand));
      if (!operands.back())
        return std::nullopt;
    }
    Constant *value = ConstantFoldInstOperands(&instruction, operands, layout);
    if (!value)
      return std::nullopt;
    known[&instruction] = value;
  }
  return std::nullopt;
}

} // namespace

int loom_fold(loom_bytes ir, size_t arity, const uint64_t *operands, size_t count, uint64_t *results,
              uint8_t *folded, loom_failure failure) {
  auto fail = [&](const Twine &message) {
    std::string text = message.str();
    failure.fail(failure.context, loom::bytes("llvm_module_unparsable"), loom::bytes(text));
    return 1;
  };
  LLVMContext context;
  SMDiagnostic error;
  // The parser reads up to a terminating zero, which the border's bytes do not have.
  std::unique_ptr<MemoryBuffer> text = MemoryBuffer::getMemBufferCopy(loom::text(ir), "fold");
  std::unique_ptr<Module> module = parseAssembly(text->getMemBufferRef(), error, context);
  if (!module)
    return fail(error.getMessage());
  const Function *function = nullptr;
  for (const Function &candidate : *module)
    if (!candidate.isDeclaration())
      function = &candidate;
  if (!function || verifyModule(*module) || function->arg_size() != arity)
    return fail("expected one valid function of " + Twine(arity) + " arguments");
  for (size_t tuple = 0; tuple < count; ++tuple) {
    SmallVector<Constant *, 4> arguments;
    for (const Argument &argument : function->args()) {
      Constant *value = constant(argument.getType(), operands[tuple * arity + argument.getArgNo()]);
      if (!value)
        return fail("arguments must be integers or floats of at most 64 bits");
      arguments.push_back(value);
    }
    std::optional<uint64_t> result = fold(*function, arguments);
    folded[tuple] = result.has_value();
    results[tuple] = result.value_or(0);
  }
  return 0;
}
