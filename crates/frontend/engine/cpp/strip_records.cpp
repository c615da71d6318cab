// A linked file without the section of records.

#include "loom_link.h"

#include "bytes.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ObjCopy/ConfigManager.h"
#include "llvm/ObjCopy/ObjCopy.h"
#include "llvm/Object/Binary.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

static Error strip(StringRef file, StringRef section, raw_ostream &out) {
  Expected<std::unique_ptr<object::Binary>> binary =
      object::createBinary(MemoryBufferRef(file, "output"), /*Context=*/nullptr, /*InitContent=*/false);
  if (!binary)
    return binary.takeError();
  objcopy::ConfigManager config;
  config.Common.InputFilename = config.Common.OutputFilename = "output";
  Expected<objcopy::NameOrPattern> name = objcopy::NameOrPattern::create(
      section, objcopy::MatchStyle::Literal, [](Error error) { return error; });
  if (!name)
    return name.takeError();
  if (Error error = config.Common.ToRemove.addMatcher(std::move(name)))
    return error;
  return objcopy::executeObjcopyOnBinary(config, **binary, out);
}

int loom_strip_section(loom_bytes file, loom_bytes section, loom_sink stripped, loom_failure failure) {
  SmallVector<char, 0> bytes;
  raw_svector_ostream out(bytes);
  if (Error error = strip(loom::text(file), loom::text(section), out)) {
    std::string message = toString(std::move(error));
    failure.fail(failure.context, loom::bytes("loom_final_link_artifact_invalid"), loom::bytes(message));
    return 1;
  }
  loom::put(stripped, {bytes.data(), bytes.size()});
  return 0;
}
