// Preloaded into a process, lets its FAILING_MALLOC-th allocation fail, and all later ones, as where memory is used up.

#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static long left = -1;

__attribute__((constructor)) static void begin(void) {
  const char *text = getenv("FAILING_MALLOC");
  if (text)
    left = strtol(text, 0, 10);
}

static int fails(void) {
  if (left < 0)
    return 0;
  if (left > 0)
    --left;
  if (left == 0)
    errno = ENOMEM;
  return left == 0;
}

void *malloc(size_t size) { return fails() ? 0 : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails() ? 0 : __libc_calloc(count, size); }
void *realloc(void *former, size_t size) { return fails() ? 0 : __libc_realloc(former, size); }
void *memalign(size_t alignment, size_t size) { return fails() ? 0 : __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void **result, size_t alignment, size_t size) {
  *result = memalign(alignment, size);
  return *result ? 0 : ENOMEM;
}
