// Scalar operations between the LLVM dialect and arith.
//
// The two dialects define these operations alike, down to poison and flags, so each entry of the table is an
// equality. What arith cannot say (or disjoint, zext nneg, select with fast-math) stays as it is.

#include "raise_scalars.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace {

bool isScalar(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.isSignless();
  return isa<FloatType>(type);
}

bool hasScalarsOnly(Operation *op) {
  return op->getNumResults() == 1 && isScalar(op->getResult(0).getType()) &&
         llvm::all_of(op->getOperandTypes(), isScalar);
}

arith::IntegerOverflowFlags toArith(LLVM::IntegerOverflowFlags flags) {
  return static_cast<arith::IntegerOverflowFlags>(static_cast<uint32_t>(flags));
}
LLVM::IntegerOverflowFlags toLLVM(arith::IntegerOverflowFlags flags) {
  return static_cast<LLVM::IntegerOverflowFlags>(static_cast<uint32_t>(flags));
}

// The numbers behind these enumerations are equal; the assertions hold that.
static_assert(static_cast<uint32_t>(arith::IntegerOverflowFlags::nsw) ==
              static_cast<uint32_t>(LLVM::IntegerOverflowFlags::nsw));
static_assert(static_cast<uint32_t>(arith::IntegerOverflowFlags::nuw) ==
              static_cast<uint32_t>(LLVM::IntegerOverflowFlags::nuw));
static_assert(static_cast<uint64_t>(arith::CmpIPredicate::uge) == static_cast<uint64_t>(LLVM::ICmpPredicate::uge));
static_assert(static_cast<uint64_t>(arith::CmpIPredicate::slt) == static_cast<uint64_t>(LLVM::ICmpPredicate::slt));
static_assert(static_cast<uint64_t>(arith::CmpFPredicate::OEQ) == static_cast<uint64_t>(LLVM::FCmpPredicate::oeq));
static_assert(static_cast<uint64_t>(arith::CmpFPredicate::UNO) == static_cast<uint64_t>(LLVM::FCmpPredicate::uno));
static_assert(static_cast<uint64_t>(arith::CmpFPredicate::AlwaysTrue) ==
              static_cast<uint64_t>(LLVM::FCmpPredicate::_true));

constexpr std::pair<LLVM::FastmathFlags, arith::FastMathFlags> fastFlags[] = {
    {LLVM::FastmathFlags::nnan, arith::FastMathFlags::nnan},
    {LLVM::FastmathFlags::ninf, arith::FastMathFlags::ninf},
    {LLVM::FastmathFlags::nsz, arith::FastMathFlags::nsz},
    {LLVM::FastmathFlags::arcp, arith::FastMathFlags::arcp},
    {LLVM::FastmathFlags::contract, arith::FastMathFlags::contract},
    {LLVM::FastmathFlags::afn, arith::FastMathFlags::afn},
    {LLVM::FastmathFlags::reassoc, arith::FastMathFlags::reassoc},
};

arith::FastMathFlags toArith(LLVM::FastmathFlags flags) {
  auto result = arith::FastMathFlags::none;
  for (auto [from, to] : fastFlags)
    if (bitEnumContainsAll(flags, from))
      result = result | to;
  return result;
}
LLVM::FastmathFlags toLLVM(arith::FastMathFlags flags) {
  auto result = LLVM::FastmathFlags::none;
  for (auto [to, from] : fastFlags)
    if (bitEnumContainsAll(flags, from))
      result = result | to;
  return result;
}

/// Puts `made` in the place of `op`.
bool replace(Operation *op, Operation *made) {
  made->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  op->replaceAllUsesWith(made);
  op->erase();
  return true;
}

struct Raise {
  OpBuilder builder;
  /// Whether floating point follows the default environment, which arith takes for granted.
  bool floats;

  bool run(Operation *op) {
    builder.setInsertionPoint(op);
    return constant(op) || overflowing<LLVM::AddOp, arith::AddIOp>(op) ||
           overflowing<LLVM::SubOp, arith::SubIOp>(op) || overflowing<LLVM::MulOp, arith::MulIOp>(op) ||
           overflowing<LLVM::ShlOp, arith::ShLIOp>(op) || plain<LLVM::AndOp, arith::AndIOp>(op) ||
           plain<LLVM::XOrOp, arith::XOrIOp>(op) || disjunction(op) || plain<LLVM::URemOp, arith::RemUIOp>(op) ||
           plain<LLVM::SRemOp, arith::RemSIOp>(op) || exact<LLVM::UDivOp, arith::DivUIOp>(op) ||
           exact<LLVM::SDivOp, arith::DivSIOp>(op) || exact<LLVM::LShrOp, arith::ShRUIOp>(op) ||
           exact<LLVM::AShrOp, arith::ShRSIOp>(op) || integerTest(op) || widen(op) ||
           cast<LLVM::SExtOp, arith::ExtSIOp>(op) || truncate(op) || select(op) || (floats && raiseFloat(op));
  }

private:
  bool raiseFloat(Operation *op) {
    return fast<LLVM::FAddOp, arith::AddFOp>(op) || fast<LLVM::FSubOp, arith::SubFOp>(op) ||
           fast<LLVM::FMulOp, arith::MulFOp>(op) || fast<LLVM::FDivOp, arith::DivFOp>(op) ||
           fast<LLVM::FRemOp, arith::RemFOp>(op) || negation(op) || floatTest(op) ||
           cast<LLVM::FPToSIOp, arith::FPToSIOp>(op) || cast<LLVM::FPToUIOp, arith::FPToUIOp>(op) ||
           cast<LLVM::SIToFPOp, arith::SIToFPOp>(op) || bits(op);
  }

  bool constant(Operation *op) {
    auto from = dyn_cast<LLVM::ConstantOp>(op);
    if (!from || !isScalar(from.getType()))
      return false;
    auto value = dyn_cast<TypedAttr>(from.getValue());
    if (!value || !isa<IntegerAttr, FloatAttr>(value) || value.getType() != from.getType())
      return false;
    return replace(op, arith::ConstantOp::create(builder, op->getLoc(), value));
  }

  template <typename From, typename To> bool overflowing(Operation *op) {
    auto from = dyn_cast<From>(op);
    return from && hasScalarsOnly(op) &&
           replace(op, To::create(builder, op->getLoc(), from.getLhs(), from.getRhs(),
                                  toArith(from.getOverflowFlags())));
  }

  template <typename From, typename To> bool plain(Operation *op) {
    auto from = dyn_cast<From>(op);
    return from && hasScalarsOnly(op) &&
           replace(op, To::create(builder, op->getLoc(), from.getLhs(), from.getRhs()));
  }

  template <typename From, typename To> bool exact(Operation *op) {
    auto from = dyn_cast<From>(op);
    return from && hasScalarsOnly(op) &&
           replace(op, To::create(builder, op->getLoc(), from.getLhs(), from.getRhs(), from.getIsExact()));
  }

  template <typename From, typename To> bool fast(Operation *op) {
    auto from = dyn_cast<From>(op);
    return from && hasScalarsOnly(op) &&
           replace(op, To::create(builder, op->getLoc(), from.getLhs(), from.getRhs(),
                                  toArith(from.getFastmathFlags())));
  }

  template <typename From, typename To> bool cast(Operation *op) {
    auto from = dyn_cast<From>(op);
    return from && hasScalarsOnly(op) &&
           replace(op, To::create(builder, op->getLoc(), from.getType(), from.getArg()));
  }

  bool disjunction(Operation *op) {
    auto from = dyn_cast<LLVM::OrOp>(op);
    return from && !from.getIsDisjoint() && plain<LLVM::OrOp, arith::OrIOp>(op);
  }

  bool integerTest(Operation *op) {
    auto from = dyn_cast<LLVM::ICmpOp>(op);
    return from && hasScalarsOnly(op) &&
           replace(op, arith::CmpIOp::create(builder, op->getLoc(),
                                             static_cast<arith::CmpIPredicate>(from.getPredicate()), from.getLhs(),
                                             from.getRhs()));
  }

  bool floatTest(Operation *op) {
    auto from = dyn_cast<LLVM::FCmpOp>(op);
    return from && hasScalarsOnly(op) &&
           replace(op, arith::CmpFOp::create(builder, op->getLoc(),
                                             static_cast<arith::CmpFPredicate>(from.getPredicate()), from.getLhs(),
                                             from.getRhs(), toArith(from.getFastmathFlags())));
  }

  bool widen(Operation *op) {
    auto from = dyn_cast<LLVM::ZExtOp>(op);
    return from && !from.getNonNeg() && cast<LLVM::ZExtOp, arith::ExtUIOp>(op);
  }

  bool truncate(Operation *op) {
    auto from = dyn_cast<LLVM::TruncOp>(op);
    return from && hasScalarsOnly(op) &&
           replace(op, arith::TruncIOp::create(builder, op->getLoc(), from.getType(), from.getArg(),
                                               toArith(from.getOverflowFlags())));
  }

  bool select(Operation *op) {
    auto from = dyn_cast<LLVM::SelectOp>(op);
    return from && hasScalarsOnly(op) && from.getFastmathFlags() == LLVM::FastmathFlags::none &&
           replace(op, arith::SelectOp::create(builder, op->getLoc(), from.getCondition(), from.getTrueValue(),
                                               from.getFalseValue()));
  }

  bool negation(Operation *op) {
    auto from = dyn_cast<LLVM::FNegOp>(op);
    return from && hasScalarsOnly(op) &&
           replace(op, arith::NegFOp::create(builder, op->getLoc(), from.getOperand(),
                                             toArith(from.getFastmathFlags())));
  }

  bool bits(Operation *op) {
    auto from = dyn_cast<LLVM::BitcastOp>(op);
    return from && hasScalarsOnly(op) && cast<LLVM::BitcastOp, arith::BitcastOp>(op);
  }
};

struct Lower {
  OpBuilder builder;

  bool run(Operation *op) {
    builder.setInsertionPoint(op);
    return constant(op) || overflowing<arith::AddIOp, LLVM::AddOp>(op) ||
           overflowing<arith::SubIOp, LLVM::SubOp>(op) || overflowing<arith::MulIOp, LLVM::MulOp>(op) ||
           overflowing<arith::ShLIOp, LLVM::ShlOp>(op) || plain<arith::AndIOp, LLVM::AndOp>(op) ||
           plain<arith::XOrIOp, LLVM::XOrOp>(op) || plain<arith::OrIOp, LLVM::OrOp>(op) ||
           plain<arith::RemUIOp, LLVM::URemOp>(op) || plain<arith::RemSIOp, LLVM::SRemOp>(op) ||
           exact<arith::DivUIOp, LLVM::UDivOp>(op) || exact<arith::DivSIOp, LLVM::SDivOp>(op) ||
           exact<arith::ShRUIOp, LLVM::LShrOp>(op) || exact<arith::ShRSIOp, LLVM::AShrOp>(op) || integerTest(op) ||
           cast<arith::ExtUIOp, LLVM::ZExtOp>(op) || cast<arith::ExtSIOp, LLVM::SExtOp>(op) || truncate(op) ||
           select(op) || fast<arith::AddFOp, LLVM::FAddOp>(op) || fast<arith::SubFOp, LLVM::FSubOp>(op) ||
           fast<arith::MulFOp, LLVM::FMulOp>(op) || fast<arith::DivFOp, LLVM::FDivOp>(op) ||
           fast<arith::RemFOp, LLVM::FRemOp>(op) || negation(op) || floatTest(op) ||
           cast<arith::FPToSIOp, LLVM::FPToSIOp>(op) || cast<arith::FPToUIOp, LLVM::FPToUIOp>(op) ||
           cast<arith::SIToFPOp, LLVM::SIToFPOp>(op) || cast<arith::BitcastOp, LLVM::BitcastOp>(op);
  }

private:
  bool constant(Operation *op) {
    auto from = dyn_cast<arith::ConstantOp>(op);
    return from && isScalar(from.getType()) &&
           replace(op, LLVM::ConstantOp::create(builder, op->getLoc(), from.getType(), from.getValue()));
  }

  template <typename From, typename To> bool overflowing(Operation *op) {
    auto from = dyn_cast<From>(op);
    return from && replace(op, To::create(builder, op->getLoc(), from.getLhs(), from.getRhs(),
                                          toLLVM(from.getOverflowFlags())));
  }

  template <typename From, typename To> bool plain(Operation *op) {
    auto from = dyn_cast<From>(op);
    return from && replace(op, To::create(builder, op->getLoc(), from.getLhs(), from.getRhs()));
  }

  template <typename From, typename To> bool exact(Operation *op) {
    auto from = dyn_cast<From>(op);
    return from &&
           replace(op, To::create(builder, op->getLoc(), from.getLhs(), from.getRhs(), from.getIsExact()));
  }

  template <typename From, typename To> bool fast(Operation *op) {
    auto from = dyn_cast<From>(op);
    return from && replace(op, To::create(builder, op->getLoc(), from.getLhs(), from.getRhs(),
                                          toLLVM(from.getFastmath())));
  }

  template <typename From, typename To> bool cast(Operation *op) {
    auto from = dyn_cast<From>(op);
    return from && replace(op, To::create(builder, op->getLoc(), from.getType(), from.getIn()));
  }

  bool integerTest(Operation *op) {
    auto from = dyn_cast<arith::CmpIOp>(op);
    return from && replace(op, LLVM::ICmpOp::create(builder, op->getLoc(),
                                                    static_cast<LLVM::ICmpPredicate>(from.getPredicate()),
                                                    from.getLhs(), from.getRhs()));
  }

  bool floatTest(Operation *op) {
    auto from = dyn_cast<arith::CmpFOp>(op);
    return from && replace(op, LLVM::FCmpOp::create(builder, op->getLoc(),
                                                    static_cast<LLVM::FCmpPredicate>(from.getPredicate()),
                                                    from.getLhs(), from.getRhs(), toLLVM(from.getFastmath())));
  }

  bool truncate(Operation *op) {
    auto from = dyn_cast<arith::TruncIOp>(op);
    return from && replace(op, LLVM::TruncOp::create(builder, op->getLoc(), from.getType(), from.getIn(),
                                                     toLLVM(from.getOverflowFlags())));
  }

  bool select(Operation *op) {
    auto from = dyn_cast<arith::SelectOp>(op);
    return from && replace(op, LLVM::SelectOp::create(builder, op->getLoc(), from.getCondition(),
                                                      from.getTrueValue(), from.getFalseValue()));
  }

  bool negation(Operation *op) {
    auto from = dyn_cast<arith::NegFOp>(op);
    return from && replace(op, LLVM::FNegOp::create(builder, op->getLoc(), from.getOperand(),
                                                    toLLVM(from.getFastmath())));
  }
};

/// Whether the function leaves rounding, exceptions and denormals as they are by default.
bool hasDefaultFloats(LLVM::LLVMFuncOp function) {
  ArrayAttr attributes = function.getPassthroughAttr();
  for (Attribute attribute : attributes ? attributes.getValue() : ArrayRef<Attribute>()) {
    auto name = dyn_cast<StringAttr>(attribute);
    if (auto pair = dyn_cast<ArrayAttr>(attribute))
      name = dyn_cast<StringAttr>(pair[0]);
    if (name && (name.getValue() == "strictfp" || name.getValue().starts_with("denormal-fp-math")))
      return false;
  }
  return true;
}

} // namespace

unsigned loom::raising::raiseScalars(LLVM::LLVMFuncOp function) {
  Raise raise{OpBuilder(function.getContext()), hasDefaultFloats(function)};
  unsigned count = 0;
  // Post-order, so that the walk has left an operation when it is replaced.
  function.walk([&](Operation *op) { count += isa<LLVM::LLVMDialect>(op->getDialect()) && raise.run(op); });
  return count;
}

LogicalResult loom::raising::lowerScalars(LLVM::LLVMFuncOp function) {
  Lower lower{OpBuilder(function.getContext())};
  bool complete = true;
  function.walk([&](Operation *op) {
    if (isa<arith::ArithDialect>(op->getDialect()) && !lower.run(op)) {
      op->emitError("no counterpart in the LLVM dialect");
      complete = false;
    }
  });
  return success(complete);
}
