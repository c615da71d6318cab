// What MLIR does not represent of a module.
//
// Two golden lists: attributes of arguments that the importer keeps and that it drops. Dropping an attribute may be
// wrong, so one on neither list stops the raise until somebody has looked. Metadata may always be dropped, so there
// only what is kept is listed.

#include "raise_census.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace loom::raising;

namespace {

constexpr Attribute::AttrKind keptOnArguments[] = {
    Attribute::Alignment,    Attribute::AllocAlign,  Attribute::AllocatedPointer, Attribute::ByRef,
    Attribute::ByVal,        Attribute::Dereferenceable, Attribute::DereferenceableOrNull, Attribute::ElementType,
    Attribute::InAlloca,     Attribute::InReg,       Attribute::Nest,             Attribute::NoAlias,
    Attribute::NoFree,       Attribute::NonNull,     Attribute::NoUndef,          Attribute::Preallocated,
    Attribute::Range,        Attribute::ReadNone,    Attribute::ReadOnly,         Attribute::Returned,
    Attribute::SExt,         Attribute::StackAlignment, Attribute::StructRet,     Attribute::WriteOnly,
    Attribute::ZExt,         Attribute::NoExt,
};

/// The effects of these on what a program may do are only permissions, which may be forgotten.
constexpr Attribute::AttrKind droppedFromArguments[] = {
    Attribute::Captures,       Attribute::Initializes, Attribute::DeadOnUnwind, Attribute::DeadOnReturn,
    Attribute::Writable,       Attribute::NoFPClass,   Attribute::ImmArg,
};

constexpr Attribute::AttrKind keptOnCalls[] = {
    Attribute::Convergent, Attribute::NoUnwind,     Attribute::WillReturn, Attribute::Memory,
    Attribute::NoInline,   Attribute::AlwaysInline, Attribute::InlineHint,
};

constexpr unsigned keptOnInstructions[] = {
    LLVMContext::MD_dbg,         LLVMContext::MD_tbaa,           LLVMContext::MD_prof,
    LLVMContext::MD_loop,        LLVMContext::MD_alias_scope,    LLVMContext::MD_noalias,
    LLVMContext::MD_nontemporal, LLVMContext::MD_access_group,   LLVMContext::MD_invariant_load,
    LLVMContext::MD_invariant_group, LLVMContext::MD_dereferenceable, LLVMContext::MD_dereferenceable_or_null,
    LLVMContext::MD_mmra,
};

class Census {
public:
  Census(const Module &module, Outcome &outcome, Failure &failure)
      : module(module), losses(outcome.losses), failure(failure) {
    module.getContext().getMDKindNames(metadataNames);
  }

  bool run() {
    countModule();
    for (const GlobalVariable &variable : module.globals())
      countVariable(variable);
    for (const Function &function : module)
      countFunction(function);
    return failure.code.empty();
  }

private:
  const Module &module;
  std::map<std::string, uint64_t> &losses;
  Failure &failure;
  SmallVector<StringRef> metadataNames;

  void lose(const Twine &kind, uint64_t count = 1) {
    if (count)
      losses[kind.str()] += count;
  }

  void countModule() {
    for (const NamedMDNode &node : module.named_metadata()) {
      StringRef name = node.getName();
      if (name != "llvm.ident" && name != "llvm.module.flags" && name != "llvm.dbg.cu" && name != "llvm.linker.options" &&
          name != "llvm.dependent-libraries" && name != "llvm.commandline")
        lose("module_named_metadata");
    }
    SmallVector<Module::ModuleFlagEntry> flags;
    module.getModuleFlagsMetadata(flags);
    for (const Module::ModuleFlagEntry &flag : flags)
      if (!isa<ConstantAsMetadata, MDString>(flag.Val))
        lose("module_flag_metadata");
  }

  void countVariable(const GlobalVariable &variable) {
    lose("global_partition", variable.hasPartition());
    lose("global_code_model", variable.getCodeModel().has_value());
    lose("global_sanitizer", variable.hasSanitizerMetadata());
    if (variable.isThreadLocal() && variable.getThreadLocalMode() != GlobalValue::GeneralDynamicTLSModel)
      lose("global_tls_model");
    countMetadata(variable, "global_metadata_");
  }

  void countMetadata(const GlobalObject &object, StringRef prefix) {
    SmallVector<std::pair<unsigned, MDNode *>> nodes;
    object.getAllMetadata(nodes);
    for (auto [kind, node] : nodes) {
      if (kind == LLVMContext::MD_dbg)
        continue;
      if (kind == LLVMContext::MD_prof && isa<Function>(object))
        continue;
      lose(prefix + nameOf(kind));
    }
  }

  /// Kinds that LLVM does not define are one kind here: nobody can list them.
  std::string nameOf(unsigned kind) {
    constexpr unsigned fixedKinds = LLVMContext::MD_implicit_ref + 1;
    return kind < fixedKinds || metadataNames[kind].starts_with("llvm.") ? metadataNames[kind].str() : "custom";
  }

  void countFunction(const Function &function) {
    lose("function_prefix", function.hasPrefixData());
    lose("function_prologue", function.hasPrologueData());
    lose("function_partition", function.hasPartition());
    lose("declaration_tune_cpu", function.isDeclaration() && function.hasFnAttribute("tune-cpu"));
    countMetadata(function, "function_metadata_");
    if (!function.isIntrinsic())
      countArguments(function.getAttributes(), function.arg_size(), "argument_");
    for (const Argument &argument : function.args())
      lose("value_names", argument.hasName());
    for (const BasicBlock &block : function) {
      lose("value_names", block.hasName());
      for (const Instruction &instruction : block)
        countInstruction(instruction);
    }
  }

  void countArguments(const AttributeList &attributes, unsigned arguments, StringRef prefix) {
    countArgument(attributes.getRetAttrs(), prefix);
    for (unsigned at = 0; at != arguments; ++at)
      countArgument(attributes.getParamAttrs(at), prefix);
  }

  void countArgument(AttributeSet attributes, StringRef prefix) {
    for (Attribute attribute : attributes) {
      if (attribute.isStringAttribute()) {
        lose(prefix + "string_attribute");
        continue;
      }
      Attribute::AttrKind kind = attribute.getKindAsEnum();
      // captures(none) is what MLIR calls nocapture.
      if (is_contained(keptOnArguments, kind) ||
          (kind == Attribute::Captures && capturesNothing(attribute.getCaptureInfo())))
        continue;
      StringRef name = Attribute::getNameFromAttrKind(kind);
      if (is_contained(droppedFromArguments, kind))
        lose(prefix + name);
      else if (kind != Attribute::SwiftError && kind != Attribute::SwiftSelf && kind != Attribute::SwiftAsync)
        failure = {"structured_raising_loss_unknown", ("what MLIR does with the argument attribute '" + name +
                                                       "' is not known")
                                                          .str()};
    }
  }

  void countInstruction(const Instruction &instruction) {
    lose("value_names", instruction.hasName());
    if (auto *test = dyn_cast<ICmpInst>(&instruction))
      lose("icmp_samesign", test->hasSameSign());
    if (auto *call = dyn_cast<CallBase>(&instruction))
      countCall(*call);
    if (instruction.hasMetadataOtherThanDebugLoc() || instruction.getDebugLoc())
      countMetadata(instruction);
    for (const DbgRecord &record : instruction.getDbgRecordRange())
      if (auto *variable = dyn_cast<DbgVariableRecord>(&record)) {
        lose("debug_record_list", variable->hasArgList());
        lose("debug_record_assign", variable->isDbgAssign());
        lose("debug_record_killed", !variable->hasArgList() && !variable->isDbgAssign() && variable->isKillLocation());
      }
  }

  void countMetadata(const Instruction &instruction) {
    SmallVector<std::pair<unsigned, MDNode *>> nodes;
    instruction.getAllMetadataOtherThanDebugLoc(nodes);
    for (auto [kind, node] : nodes) {
      if (kind == LLVMContext::MD_loop) {
        if (!isa<BranchInst>(instruction))
          lose("metadata_llvm.loop_on_other_branch");
      } else if (kind == LLVMContext::MD_prof) {
        if (!isa<BranchInst, SwitchInst, CallBase>(instruction))
          lose("metadata_prof");
        else if (auto *origin = node->getNumOperands() > 1 ? dyn_cast<MDString>(node->getOperand(1)) : nullptr)
          lose("metadata_prof_" + origin->getString());
      } else if (kind == LLVMContext::MD_range && isa<CallInst>(instruction)) {
        continue;
      } else if (!is_contained(keptOnInstructions, kind) ||
                 (kind == LLVMContext::MD_tbaa && isa<IntrinsicInst>(instruction) && !isa<MemIntrinsic>(instruction))) {
        lose("metadata_" + nameOf(kind));
      }
    }
  }

  void countCall(const CallBase &call) {
    for (Attribute attribute : call.getAttributes().getFnAttrs()) {
      if (attribute.isStringAttribute())
        lose("call_string_attribute");
      else if (!is_contained(keptOnCalls, attribute.getKindAsEnum()) || isa<IntrinsicInst>(call) || call.isInlineAsm())
        lose("call_" + Attribute::getNameFromAttrKind(attribute.getKindAsEnum()));
    }
    if (auto *plain = dyn_cast<CallInst>(&call); plain && isa<IntrinsicInst>(call))
      lose("intrinsic_tail", plain->isTailCall());
    if (!isa<IntrinsicInst>(call))
      countArguments(call.getAttributes(), call.arg_size(), "call_argument_");
  }
};

} // namespace

bool loom::raising::takeCensus(const Module &module, Outcome &outcome, Failure &failure) {
  return Census(module, outcome, failure).run();
}
