// Lowered bodies back into the module that owns their functions.

#include "raise_splice.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;
using namespace loom::raising;

namespace {

/// Frees the names of the owner's structs while an export makes its own, then relates them by those names.
class StructNames : public ValueMapTypeRemapper {
public:
  explicit StructNames(Module &owner) : types(owner.getIdentifiedStructTypes()) {
    for (StructType *type : types) {
      names.push_back(type->getName().str());
      if (!names.back().empty())
        type->setName("");
    }
  }

  /// Gives the names back, and remembers which of the exported structs is which of the owner's.
  void relate(Module &exported) {
    StringMap<StructType *> made;
    for (StructType *type : exported.getIdentifiedStructTypes())
      if (type->hasName())
        made[type->getName()] = type;
    for (auto [type, name] : zip_equal(types, names)) {
      if (name.empty())
        continue;
      if (StructType *other = made.lookup(name)) {
        mapped[other] = type;
        other->setName("");
      }
      type->setName(name);
    }
  }

  void restore() {
    for (auto [type, name] : zip_equal(types, names))
      if (!name.empty() && !type->hasName())
        type->setName(name);
  }

  Type *remapType(Type *type) override {
    if (Type *known = mapped.lookup(type))
      return known;
    if (type->getNumContainedTypes() == 0)
      return type;
    SmallVector<Type *> parts;
    for (Type *part : type->subtypes())
      parts.push_back(remapType(part));
    Type *result = type;
    if (!equal(parts, type->subtypes()))
      result = rebuild(type, parts);
    return mapped[type] = result;
  }

private:
  std::vector<StructType *> types;
  std::vector<std::string> names;
  DenseMap<Type *, Type *> mapped;

  static Type *rebuild(Type *type, ArrayRef<Type *> parts) {
    if (auto *array = dyn_cast<ArrayType>(type))
      return ArrayType::get(parts[0], array->getNumElements());
    if (auto *vector = dyn_cast<VectorType>(type))
      return VectorType::get(parts[0], vector->getElementCount());
    if (auto *function = dyn_cast<FunctionType>(type))
      return FunctionType::get(parts[0], parts.drop_front(), function->isVarArg());
    if (auto *structure = dyn_cast<StructType>(type); structure && structure->isLiteral())
      return StructType::get(type->getContext(), parts, structure->isPacked());
    return type;
  }
};

/// Debug information of one function of the owner, found again by what a location or a variable says.
class DebugInfo {
public:
  explicit DebugInfo(Function &function) : subprogram(function.getSubprogram()) {
    if (!subprogram)
      return;
    for (Instruction &instruction : instructions(function)) {
      addLocation(instruction.getDebugLoc().get());
      if (MDNode *loop = instruction.getMetadata(LLVMContext::MD_loop))
        for (const MDOperand &operand : loop->operands())
          addLocation(dyn_cast_or_null<DILocation>(operand.get()));
      for (DbgVariableRecord &record : filterDbgVars(instruction.getDbgRecordRange())) {
        addLocation(record.getDebugLoc().get());
        variables.try_emplace(keyOf(record.getVariable()), record.getVariable());
      }
      for (DbgRecord &record : instruction.getDbgRecordRange())
        if (auto *label = dyn_cast<DbgLabelRecord>(&record)) {
          addLocation(label->getDebugLoc().get());
          labels.try_emplace(keyOf(label->getLabel()), label->getLabel());
        }
    }
  }

  DILocation *find(const DILocation *location) {
    if (!location || !subprogram)
      return nullptr;
    if (DILocation *known = locations.lookup(keyOf(location)))
      return known;
    return DILocation::get(location->getContext(), 0, 0, subprogram);
  }
  DILocalVariable *find(const DILocalVariable *variable) { return variables.lookup(keyOf(variable)); }
  DILabel *find(const DILabel *label) { return labels.lookup(keyOf(label)); }

private:
  DISubprogram *subprogram;
  StringMap<DILocation *> locations;
  StringMap<DILocalVariable *> variables;
  StringMap<DILabel *> labels;
  DenseMap<const Metadata *, std::string> keys;

  void addLocation(DILocation *location) {
    for (; location; location = location->getInlinedAt())
      locations.try_emplace(keyOf(location), location);
  }

  std::string keyOf(const DILocation *location) {
    if (std::string known = keys.lookup(location); !known.empty())
      return known;
    std::string made = (Twine(location->getLine()) + ":" + Twine(location->getColumn()) + ":" +
                          keyOf(static_cast<const DIScope *>(location->getScope())))
                             .str();
    if (const DILocation *outer = location->getInlinedAt())
      made += "@" + keyOf(outer);
    return keys[location] = made;
  }

  std::string keyOf(const DIScope *scope) {
    if (!scope)
      return "-";
    if (std::string known = keys.lookup(scope); !known.empty())
      return known;
    std::string made = (Twine(scope->getMetadataID()) + "/" + scope->getFilename()).str();
    if (auto *function = dyn_cast<DISubprogram>(scope))
      made += ("/" + function->getName() + "/" + function->getLinkageName() + "/" + Twine(function->getLine())).str();
    else if (auto *block = dyn_cast<DILexicalBlock>(scope))
      made += ("/" + Twine(block->getLine()) + ":" + Twine(block->getColumn()) + "/" + keyOf(block->getScope())).str();
    else if (auto *block = dyn_cast<DILexicalBlockFile>(scope))
      made += ("/" + Twine(block->getDiscriminator()) + "/" + keyOf(block->getScope())).str();
    return keys[scope] = made;
  }

  std::string keyOf(const DILocalVariable *variable) {
    return (variable->getName() + "/" + Twine(variable->getArg()) + "/" + Twine(variable->getLine()) + "/" +
            keyOf(static_cast<const DIScope *>(variable->getScope())))
        .str();
  }

  std::string keyOf(const DILabel *label) {
    return (label->getName() + "/" + Twine(label->getLine()) + "/" +
            keyOf(static_cast<const DIScope *>(label->getScope())))
        .str();
  }
};

/// Finds the owner's symbol for each of the export's; intrinsics that the owner does not have yet are declared.
class Symbols : public ValueMaterializer {
public:
  Symbols(Module &owner, StructNames &types) : owner(owner), types(types) {}

  std::string unknown;

  Value *materialize(Value *value) override {
    auto *symbol = dyn_cast<GlobalValue>(value);
    if (!symbol)
      return nullptr;
    if (GlobalValue *known = owner.getNamedValue(symbol->getName()))
      return known;
    auto *function = dyn_cast<Function>(symbol);
    if (!function || !function->isIntrinsic()) {
      unknown = symbol->getName().str();
      return PoisonValue::get(value->getType());
    }
    auto *declared = Function::Create(cast<FunctionType>(types.remapType(function->getFunctionType())),
                                      function->getLinkage(), function->getAddressSpace(), function->getName(), &owner);
    declared->copyAttributesFrom(function);
    return declared;
  }

private:
  Module &owner;
  StructNames &types;
};

void eraseBody(Function &function) {
  for (BasicBlock &block : function)
    block.dropAllReferences();
  while (!function.empty())
    function.begin()->eraseFromParent();
}

/// Relates everything the body says about debug information to the owner's, and keeps the mapping of `map` from
/// copying any of that.
void relateDebugInfo(Function &body, DebugInfo &original, ValueToValueMapTy &map) {
  auto keep = [&](Metadata *node) {
    if (node)
      map.MD()[node].reset(node);
  };
  auto relate = [&](const DILocation *location) {
    if (!location || map.MD().count(location))
      return;
    DILocation *known = original.find(location);
    map.MD()[location].reset(known);
    keep(known);
  };
  for (Instruction &instruction : instructions(body)) {
    DILocation *own = original.find(instruction.getDebugLoc().get());
    instruction.setDebugLoc(own);
    keep(own);
    if (MDNode *loop = instruction.getMetadata(LLVMContext::MD_loop))
      for (const MDOperand &operand : loop->operands())
        relate(dyn_cast_or_null<DILocation>(operand.get()));
    for (DbgRecord &record : make_early_inc_range(instruction.getDbgRecordRange())) {
      DILocation *location = original.find(record.getDebugLoc().get());
      keep(location);
      if (auto *variable = dyn_cast<DbgVariableRecord>(&record)) {
        DILocalVariable *known = original.find(variable->getVariable());
        if (known && location) {
          keep(known);
          variable->setVariable(known);
          variable->setDebugLoc(location);
          continue;
        }
      } else if (auto *label = dyn_cast<DbgLabelRecord>(&record)) {
        if (DILabel *known = original.find(label->getLabel()); known && location) {
          keep(known);
          label->setLabel(known);
          label->setDebugLoc(location);
          continue;
        }
      }
      record.eraseFromParent();
    }
  }
}

void splice(Function &body, Function &target, StructNames &types, Symbols &symbols) {
  DebugInfo original(target);
  eraseBody(target);
  ValueToValueMapTy map;
  for (auto [from, to] : zip_equal(body.args(), target.args()))
    map[&from] = &to;
  relateDebugInfo(body, original, map);
  target.splice(target.begin(), &body);
  // Not RemapFunction: what is attached to the function itself is the owner's.
  const RemapFlags flags = RF_IgnoreMissingLocals | RF_ReuseAndMutateDistinctMDs;
  for (Instruction &instruction : instructions(target)) {
    RemapInstruction(&instruction, map, flags, &types, &symbols);
    RemapDbgRecordRange(target.getParent(), instruction.getDbgRecordRange(), map, flags, &types, &symbols);
  }
}

/// Only what the marked bodies need: other bodies and all initializers are the owner's.
void prune(mlir::ModuleOp lowered) {
  lowered.walk([&](mlir::Operation *op) {
    if (auto function = mlir::dyn_cast<mlir::LLVM::LLVMFuncOp>(op)) {
      if (!function->hasAttr(spliceMark)) {
        function.getBody().dropAllReferences();
        function.getBody().getBlocks().clear();
      }
      return mlir::WalkResult::skip();
    }
    return mlir::WalkResult::advance();
  });
  for (mlir::Operation &op : llvm::make_early_inc_range(*lowered.getBody()))
    if (auto variable = mlir::dyn_cast<mlir::LLVM::GlobalOp>(op)) {
      if (variable.getLinkage() == mlir::LLVM::Linkage::Appending)
        op.erase();
      else {
        variable.removeValueAttr();
        variable.getInitializerRegion().dropAllReferences();
        variable.getInitializerRegion().getBlocks().clear();
        variable.setLinkage(mlir::LLVM::Linkage::External);
        variable.removeComdatAttr();
        variable.removeDbgExprsAttr();
      }
    } else if (mlir::isa<mlir::LLVM::GlobalCtorsOp, mlir::LLVM::GlobalDtorsOp, mlir::LLVM::ModuleFlagsOp>(op)) {
      op.erase();
    }
}

} // namespace

bool loom::raising::spliceBodies(mlir::ModuleOp lowered, Module &owner, Failure &failure) {
  std::vector<std::string> changed;
  for (auto function : lowered.getOps<mlir::LLVM::LLVMFuncOp>())
    if (function->hasAttr(spliceMark))
      changed.push_back(function.getName().str());
  prune(lowered);
  for (auto function : lowered.getOps<mlir::LLVM::LLVMFuncOp>())
    function->removeDiscardableAttr(mlir::StringAttr::get(lowered.getContext(), spliceMark));
  StructNames types(owner);
  std::string errors;
  std::unique_ptr<Module> exported;
  {
    mlir::ScopedDiagnosticHandler handler(lowered.getContext(), [&](mlir::Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
        errors += (errors.empty() ? "" : "; ") + diagnostic.str();
      return mlir::success();
    });
    exported = mlir::translateModuleToLLVMIR(lowered, owner.getContext(), "raised", /*disableVerification=*/true);
  }
  if (!exported) {
    types.restore();
    failure = {"structured_lowering_failed", errors.empty() ? "the lowered module cannot be exported" : errors};
    return false;
  }
  types.relate(*exported);
  Symbols symbols(owner, types);
  for (const std::string &name : changed) {
    Function *body = exported->getFunction(name), *target = owner.getFunction(name);
    if (!body || body->empty() || !target || target->empty()) {
      failure = {"structured_lowering_failed", "the body of '" + name + "' has no place"};
      return false;
    }
    splice(*body, *target, types, symbols);
  }
  if (!symbols.unknown.empty()) {
    failure = {"structured_lowering_failed", "nothing in the module is called '" + symbols.unknown + "'"};
    return false;
  }
  exported.reset();
  std::string problems;
  raw_string_ostream out(problems);
  if (verifyModule(owner, &out)) {
    failure = {"structured_lowering_invalid", StringRef(problems).rtrim().str()};
    return false;
  }
  return true;
}
