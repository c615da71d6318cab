// What a target supports, printed as -print-supported-cpus and its kin ask.

#include "target_lists.h"

#include "clang/Basic/TargetOptions.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/AArch64TargetParser.h"
#include "llvm/TargetParser/ARMTargetParser.h"
#include "llvm/TargetParser/RISCVISAInfo.h"

#include <set>

using namespace llvm;

namespace {

std::unique_ptr<TargetMachine> machine(const Triple &triple, StringRef processor, StringRef features) {
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  if (!target) {
    errs() << error;
    return nullptr;
  }
  return std::unique_ptr<TargetMachine>(
      target->createTargetMachine(triple, processor, features, TargetOptions(), std::nullopt));
}

StringMap<StringRef> descriptions(ArrayRef<SubtargetFeatureKV> features) {
  StringMap<StringRef> map;
  for (const SubtargetFeatureKV &feature : features)
    map.insert({feature.Key, feature.Desc});
  return map;
}

/// LLVM prints the list of processors itself when the machine is asked for this feature.
int printProcessors(const Triple &triple) { return machine(triple, "", "+cpuhelp") ? 0 : 1; }

int printSupported(const Triple &triple) {
  std::unique_ptr<TargetMachine> it = machine(triple, "", "");
  if (!it)
    return 1;
  StringMap<StringRef> texts = descriptions(it->getMCSubtargetInfo()->getAllProcessorFeatures());
  if (triple.isRISCV()) {
    RISCVISAInfo::printSupportedExtensions(texts);
  } else if (triple.isAArch64()) {
    AArch64::PrintSupportedExtensions();
  } else if (triple.isARM()) {
    ARM::PrintSupportedExtensions(texts);
  } else {
    errs() << "The -print-supported-extensions option is only supported on RISC-V, AArch64 and ARM.\n";
    return 1;
  }
  return 0;
}

int printEnabled(const Triple &triple, const clang::TargetOptions &options) {
  std::unique_ptr<TargetMachine> it =
      machine(triple, options.CPU, join(options.FeaturesAsWritten, ","));
  if (!it)
    return 1;
  std::vector<SubtargetFeatureKV> enabled = it->getMCSubtargetInfo()->getEnabledProcessorFeatures();
  std::set<StringRef> names;
  for (const SubtargetFeatureKV &feature : enabled)
    names.insert(feature.Key);
  if (triple.isAArch64()) {
    AArch64::printEnabledExtensions(names);
  } else if (triple.isRISCV()) {
    StringMap<StringRef> texts = descriptions(it->getMCSubtargetInfo()->getAllProcessorFeatures());
    RISCVISAInfo::printEnabledExtensions(triple.isArch64Bit(), names, texts);
  } else {
    errs() << "The -print-enabled-extensions option is only supported on RISC-V and AArch64.\n";
    return 1;
  }
  return 0;
}

} // namespace

bool loom::printTargetList(const clang::CompilerInvocation &invocation, int &status) {
  const clang::FrontendOptions &frontend = invocation.getFrontendOpts();
  Triple triple(invocation.getTargetOpts().Triple);
  if (frontend.PrintSupportedCPUs)
    status = printProcessors(triple);
  else if (frontend.PrintSupportedExtensions)
    status = printSupported(triple);
  else if (frontend.PrintEnabledExtensions)
    status = printEnabled(triple, invocation.getTargetOpts());
  else
    return false;
  return true;
}
