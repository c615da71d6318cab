// Conversions between the border's plain C values and LLVM's.

#pragma once

#include "loom_engine.h"

#include "llvm/ADT/StringRef.h"

namespace loom {

inline llvm::StringRef text(loom_bytes bytes) {
  return {reinterpret_cast<const char *>(bytes.data), bytes.length};
}

inline loom_bytes bytes(llvm::StringRef text) {
  return {reinterpret_cast<const uint8_t *>(text.data()), text.size()};
}

inline void put(loom_sink sink, llvm::StringRef value) { sink.put(sink.context, bytes(value)); }

} // namespace loom
