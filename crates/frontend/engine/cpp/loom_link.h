// A native link that somebody watches, across the border. The rules of loom_engine.h hold here too.

#pragma once

#include "loom_engine.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  void *context;
  /// Before the linker runs: its executable, its arguments, and for every temporary input the user's source that it
  /// was made of (files and sources in turn). Puts the arguments to run it with, one value each.
  void (*before)(void *context, loom_bytes executable, const loom_bytes *arguments, size_t count,
                 const loom_bytes *sources, size_t source_count, loom_sink replaced);
  /// After the linker ran, with its exit status, while its inputs still exist. What becomes of the command is for the
  /// observer to say: the driver is told that all went well, so that it removes nothing.
  void (*after)(void *context, int status);
} loom_link_observer;

/// Has the links of this process's next commands watched; null ends it. The observer must live as long.
void loom_observe_links(const loom_link_observer *observer);

/// The linked file without the section of this name. Returns 0 after `stripped` received it.
int loom_strip_section(loom_bytes file, loom_bytes section, loom_sink stripped, loom_failure failure);

#ifdef __cplusplus
}
#endif
