// Payload and record inside a module, from where code generation carries them into the object.

#pragma once

#include "loom_engine.h"
#include "normalize.h"

namespace llvm {
class Module;
}

namespace loom {

/// Asks the host for the frames of `normalized` and embeds them in `module` (decision 16).
void embedFrames(llvm::Module &module, const loom_compile_host &host, const NormalizedModule &normalized);

} // namespace loom
