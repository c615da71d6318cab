// Process-wide facts and set-up: targets, versions, the environment.

#include "bytes.h"
#include "renderings.h"

#include "clang/Basic/Version.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/TargetSelect.h"

#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <link.h>
#include <mutex>
#include <string>
#include <vector>

static_assert(LLVM_VERSION_MAJOR == 22 && LLVM_VERSION_MINOR == 1 && LLVM_VERSION_PATCH == 8,
              "Loom's pinned provider is llvmorg-22.1.8");

void loom_initialize_targets(void) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeAllTargetInfos();
    llvm::InitializeAllTargets();
    llvm::InitializeAllTargetMCs();
    llvm::InitializeAllAsmParsers();
    llvm::InitializeAllAsmPrinters();
  });
}

/// The descriptor of the NT_GNU_BUILD_ID note of the main executable, or nothing.
static llvm::StringRef buildId() {
  llvm::StringRef found;
  dl_iterate_phdr(
      [](dl_phdr_info *image, size_t, void *result) {
        for (int i = 0; i < image->dlpi_phnum; ++i) {
          const ElfW(Phdr) &header = image->dlpi_phdr[i];
          if (header.p_type != PT_NOTE)
            continue;
          const char *at = reinterpret_cast<const char *>(image->dlpi_addr + header.p_vaddr);
          const char *end = at + header.p_memsz;
          while (at + sizeof(ElfW(Nhdr)) <= end) {
            const auto *note = reinterpret_cast<const ElfW(Nhdr) *>(at);
            const char *name = at + sizeof(*note);
            const char *descriptor = name + ((note->n_namesz + 3) & ~3u);
            if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && !memcmp(name, "GNU", 4)) {
              *static_cast<llvm::StringRef *>(result) = {descriptor, note->n_descsz};
              return 1;
            }
            at = descriptor + ((note->n_descsz + 3) & ~3u);
          }
        }
        return 1; // The main executable comes first; libraries do not matter.
      },
      &found);
  return found;
}

void loom_versions(loom_sink llvm, loom_sink clang, loom_sink id) {
  loom::put(llvm, LLVM_VERSION_STRING);
  loom::put(clang, clang::getClangFullVersion());
  loom::put(id, buildId());
}

// The engine is linked with --wrap=getenv: every look-up by LLVM, clang and the C++ code of this process
// comes through here, so the log of consulted variables is complete.

namespace {
struct ConsultedVariables {
  std::mutex lock;
  llvm::StringSet<> seen;
  std::vector<std::string> order;
};
} // namespace

/// Never destroyed: getenv is called until the very end of the process.
static ConsultedVariables &consulted() {
  static auto *variables = new ConsultedVariables;
  return *variables;
}

extern "C" char *__real_getenv(const char *name);

extern "C" char *__wrap_getenv(const char *name) {
  ConsultedVariables &log = consulted();
  // Who runs out of memory here dies by a signal, whose handlers look up variables again.
  static thread_local bool noting = false;
  if (!noting && !loom::isUnlogged()) {
    noting = true;
    std::lock_guard<std::mutex> guard(log.lock);
    if (log.seen.insert(name).second)
      log.order.emplace_back(name);
    noting = false;
  }
  // This one changes how LLVM writes a given module, which nothing outside the module may (decision 43).
  // LLVM reads it before main, so it has to be absent from the start.
  if (llvm::StringRef(name) == "LLVM_OVERRIDE_PRODUCER")
    return nullptr;
  return __real_getenv(name);
}

void loom_take_consulted_variables(loom_sink name) {
  ConsultedVariables &log = consulted();
  std::vector<std::string> order;
  {
    std::lock_guard<std::mutex> guard(log.lock);
    order.swap(log.order);
    log.seen.clear();
  }
  for (const std::string &variable : order)
    loom::put(name, variable);
}

void loom_set_environment(const loom_bytes *entries, size_t count) {
  clearenv();
  for (size_t i = 0; i < count; ++i) {
    auto [variable, value] = loom::text(entries[i]).split('=');
    setenv(variable.str().c_str(), value.str().c_str(), 1);
  }
}
