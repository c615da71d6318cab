// The final link across the border: symbols of modules, and their merge by LLVM's own LTO library.
//
// The rules of loom_engine.h hold here too.

#pragma once

#include "loom_engine.h"

#ifdef __cplusplus
extern "C" {
#endif

enum loom_lto_symbol_flags {
  LOOM_SYMBOL_UNDEFINED = 1,
  LOOM_SYMBOL_WEAK = 2,
  LOOM_SYMBOL_COMMON = 4,
  /// Hidden or internal visibility.
  LOOM_SYMBOL_HIDDEN = 8,
  /// Protected visibility.
  LOOM_SYMBOL_PROTECTED = 16,
  /// Named by llvm.used, or called by code generation under this name.
  LOOM_SYMBOL_USED = 32,
  /// A linker may leave it out of the symbol table: nobody compares its address.
  LOOM_SYMBOL_OMITTABLE = 64,
};

/// A symbol of a module. `comdat` and `section` are empty where it has none.
typedef struct {
  loom_bytes name, comdat, section;
  uint64_t common_size;
  uint32_t flags;
} loom_lto_symbol;

/// Lists the symbols of a bitcode module, in the order in which resolutions are given. Returns 0 on success.
int loom_lto_symbols(loom_bytes bitcode, void *context, void (*symbol)(void *context, const loom_lto_symbol *),
                     loom_failure failure);

/// Whether two data layouts are equal in structure: 1 if so, 0 if not, -1 after `failure` if LLVM refuses one.
int loom_same_layout(loom_bytes left, loom_bytes right, loom_failure failure);

enum loom_lto_resolution {
  LOOM_RESOLUTION_PREVAILING = 1,
  LOOM_RESOLUTION_FINAL = 2,
  LOOM_RESOLUTION_VISIBLE = 4,
  LOOM_RESOLUTION_EXPORTED = 8,
  LOOM_RESOLUTION_REDEFINED = 16,
};

/// A module with what the linker decided about each of its symbols. `name` is what messages call it.
typedef struct {
  loom_bytes name, bitcode;
  const uint8_t *resolutions;
  size_t count;
} loom_lto_input;

/// Merges modules, in order, up to before code generation, and optimizes at `level` (0 to 3). The code of a failure
/// is `accelerator_link_failed`, its message has up to two lines before the sentence: the names of the inputs it is
/// about, each line ending in a line feed, then an empty line. Returns 0 after `linked` received bitcode.
int loom_lto_merge(const loom_lto_input *inputs, size_t count, unsigned level, loom_sink linked,
                   loom_failure failure);

#ifdef __cplusplus
}
#endif
