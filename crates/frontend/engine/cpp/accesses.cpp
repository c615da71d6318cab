// What this process asks of the world and does to it, seen at the border to the C library.
//
// The engine is linked with --wrap for every function below (build.rs), so each call from LLVM, clang and this layer
// comes through here, whichever of their many ways it took. A test holds the list against what the engine imports.

#include "accesses.h"

#include "bytes.h"
#include "renderings.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <mutex>
#include <pwd.h>
#include <spawn.h>
#include <string>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#include <vector>

using llvm::StringRef;

namespace {

struct Event {
  int kind;
  std::string path, other;
  loom_access_numbers numbers;
};

/// Never destroyed: files are used until the very end of the process.
struct Log {
  std::mutex lock;
  std::vector<Event> events;
  llvm::StringMap<char> seen;
  /// Which READ event an open descriptor belongs to.
  llvm::DenseMap<int, size_t> reading;
  /// What was written, by the path it was written to first, and which of it an open descriptor belongs to. Another
  /// process may write to the same path, so what lies there later proves nothing.
  std::vector<std::pair<std::string, std::string>> written;
  llvm::DenseMap<int, size_t> writing;
  void add(int kind, StringRef path, StringRef other = "", loom_access_numbers numbers = {}) {
    events.push_back({kind, path.str(), other.str(), numbers});
  }

  /// Adds a fact that one mention of is enough.
  void addOnce(int kind, StringRef path, loom_access_numbers numbers = {}) {
    std::string name = char('a' + kind) + path.str() + '\0' + std::to_string(numbers.inode);
    if (seen.try_emplace(name).second)
      add(kind, path, "", numbers);
  }
};

std::atomic<bool> watching{false};

Log &log() {
  static auto *log = new Log;
  return *log;
}

/// A thread that runs out of memory here dies by a signal, whose handlers remove files and so come here again.
thread_local bool noting = false;

template <typename Function> void note(Function function) {
  if (noting || !watching.load(std::memory_order_relaxed))
    return;
  noting = true;
  int saved = errno;
  Log &it = log();
  {
    std::lock_guard<std::mutex> guard(it.lock);
    function(it);
  }
  errno = saved;
  noting = false;
}

int64_t nanoseconds(const timespec &time) { return int64_t(time.tv_sec) * 1000000000 + time.tv_nsec; }

loom_access_numbers numbersOf(const struct stat &state) {
  loom_access_numbers it{};
  it.file_kind = S_ISREG(state.st_mode) ? LOOM_FILE_REGULAR
                 : S_ISDIR(state.st_mode) ? LOOM_FILE_DIRECTORY
                                          : LOOM_FILE_OTHER;
  it.size = state.st_size;
  it.mtime = nanoseconds(state.st_mtim);
  it.ctime = nanoseconds(state.st_ctim);
  it.inode = state.st_ino;
  it.device = state.st_dev;
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  it.taken = nanoseconds(now);
  return it;
}

/// A look-up that failed: the path is absent, or cannot be judged.
void noteFailure(Log &log, StringRef path, int error) {
  if (error == ENOENT || error == ENOTDIR)
    log.addOnce(LOOM_ACCESS_ABSENT, path);
  else
    log.addOnce(LOOM_ACCESS_FORBIDDEN, "unreadable file");
}

bool isOwn(StringRef path) { return path.starts_with("/proc/self/"); }

template <typename State> int noteState(const char *path, int result, const State *state) {
  note([&](Log &log) {
    if (isOwn(path))
      return;
    if (result == 0)
      log.addOnce(LOOM_ACCESS_PRESENT, path, numbersOf(*reinterpret_cast<const struct stat *>(state)));
    else
      noteFailure(log, path, errno);
  });
  return result;
}

/// A file that was written so shortly before it was opened that its times prove nothing is read at once.
std::string digestIfFresh(int descriptor, const loom_access_numbers &numbers) {
  if (numbers.taken - std::max(numbers.mtime, numbers.ctime) > 2100000000)
    return "";
  llvm::SHA256 hash;
  std::vector<uint8_t> piece(1 << 16);
  off_t at = 0;
  for (ssize_t got; (got = pread(descriptor, piece.data(), piece.size(), at)) > 0; at += got)
    hash.update(llvm::ArrayRef<uint8_t>(piece.data(), got));
  auto digest = hash.final();
  return std::string(reinterpret_cast<const char *>(digest.data()), digest.size());
}

int noteOpen(const char *path, int flags, int descriptor) {
  note([&](Log &log) {
    const bool writes = (flags & O_ACCMODE) != O_RDONLY;
    if (descriptor < 0) {
      if (!writes)
        noteFailure(log, path, errno);
      else if (!(errno == EEXIST && (flags & O_EXCL)))
        log.addOnce(LOOM_ACCESS_FORBIDDEN, "output cannot be written");
      return;
    }
    log.reading.erase(descriptor);
    log.writing.erase(descriptor);
    struct stat state;
    if (fstat(descriptor, &state) != 0)
      return;
    loom_access_numbers numbers = numbersOf(state);
    if (writes) {
      if (numbers.file_kind != LOOM_FILE_REGULAR)
        log.addOnce(LOOM_ACCESS_FORBIDDEN, "output is not a regular file");
      else if (flags & O_APPEND)
        log.addOnce(LOOM_ACCESS_FORBIDDEN, "appends to a file");
      else if (!(flags & (O_TRUNC | O_EXCL)) && state.st_size != 0)
        log.addOnce(LOOM_ACCESS_FORBIDDEN, "changes a file in place");
      log.add(flags & O_EXCL ? LOOM_ACCESS_CREATED : LOOM_ACCESS_WRITTEN, path);
      log.writing[descriptor] = log.written.size();
      log.written.emplace_back(path, "");
      return;
    }
    if (numbers.file_kind != LOOM_FILE_REGULAR) {
      if (numbers.file_kind == LOOM_FILE_OTHER && StringRef(path) != "/dev/null")
        log.addOnce(LOOM_ACCESS_FORBIDDEN, "input is not a regular file");
      log.addOnce(LOOM_ACCESS_PRESENT, path, numbers);
      return;
    }
    log.reading[descriptor] = log.events.size();
    log.add(LOOM_ACCESS_READ, path, digestIfFresh(descriptor, numbers), numbers);
  });
  return descriptor;
}

/// What goes to the standard streams and to outputs.
void noteText(int descriptor, StringRef text) {
  note([&](Log &log) {
    auto found = log.writing.find(descriptor);
    if (found == log.writing.end())
      return;
    std::string &content = log.written[found->second].second;
    const off_t end = lseek(descriptor, 0, SEEK_CUR);
    if (end < off_t(text.size()))
      return;
    if (content.size() < size_t(end))
      content.resize(end);
    std::copy(text.begin(), text.end(), content.begin() + (end - off_t(text.size())));
  });
  if (descriptor == STDERR_FILENO)
    note([&](Log &) { loom::noteSaid(text); });
  else if (descriptor == STDOUT_FILENO && !text.empty())
    loom::forbidCaching("writes to standard output");
}

} // namespace

void loom::forbidCaching(StringRef reason) {
  note([&](Log &log) { log.addOnce(LOOM_ACCESS_FORBIDDEN, reason); });
}

void loom_watch_accesses(int on) { watching = on; }

bool loom::isWatching() { return watching; }

void loom::writeKnownText(StringRef text) {
  const bool watched = watching.exchange(false);
  llvm::errs() << text;
  watching = watched;
}

void loom_take_accesses(loom_access_sink sink, int goes_on) {
  watching = goes_on;
  Log &it = log();
  std::unique_lock<std::mutex> guard(it.lock, std::try_to_lock);
  if (!guard) {
    sink.put(sink.context, LOOM_ACCESS_FORBIDDEN, loom::bytes("the compiler crashed"), loom::bytes(""), nullptr);
    return;
  }
  // The host may run out of memory too, and say so.
  noting = true;
  for (const Event &event : it.events)
    sink.put(sink.context, event.kind, loom::bytes(event.path), loom::bytes(event.other), &event.numbers);
  for (const auto &[path, content] : it.written)
    sink.put(sink.context, LOOM_ACCESS_WROTE, loom::bytes(path), loom::bytes(content), nullptr);
  loom::takeSaid(sink);
  it.events.clear();
  it.seen.clear();
  it.reading.clear();
  it.written.clear();
  it.writing.clear();
  noting = false;
}

extern "C" {

// ------------------------------------------------------------------ look-ups

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return noteOpen(path, flags, __real_open(path, flags, mode));
}

int __real_open64(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return noteOpen(path, flags, __real_open64(path, flags, mode));
}

int __real_stat(const char *path, struct stat *state);
int __wrap_stat(const char *path, struct stat *state) { return noteState(path, __real_stat(path, state), state); }

static_assert(sizeof(struct stat) == sizeof(struct stat64), "one layout serves both");

int __real_stat64(const char *path, struct stat64 *state);
int __wrap_stat64(const char *path, struct stat64 *state) {
  return noteState(path, __real_stat64(path, state), state);
}

int __real_lstat(const char *path, struct stat *state);
int __wrap_lstat(const char *path, struct stat *state) {
  int result = __real_lstat(path, state);
  if (result == 0 && S_ISLNK(state->st_mode))
    loom::forbidCaching("looks at a symbolic link");
  return noteState(path, result, state);
}

int __real_lstat64(const char *path, struct stat64 *state);
int __wrap_lstat64(const char *path, struct stat64 *state) {
  int result = __real_lstat64(path, state);
  if (result == 0 && S_ISLNK(state->st_mode))
    loom::forbidCaching("looks at a symbolic link");
  return noteState(path, result, state);
}

int __real_access(const char *path, int mode);
int __wrap_access(const char *path, int mode) {
  int result = __real_access(path, mode);
  note([&](Log &log) {
    if (isOwn(path))
      return;
    struct stat state;
    if (result != 0)
      noteFailure(log, path, errno);
    else if (__real_stat(path, &state) == 0)
      log.addOnce(mode == F_OK ? LOOM_ACCESS_PRESENT : LOOM_ACCESS_PERMITTED, path, numbersOf(state));
  });
  return result;
}

ssize_t __real_readlink(const char *path, char *target, size_t size);
ssize_t __wrap_readlink(const char *path, char *target, size_t size) {
  ssize_t length = __real_readlink(path, target, size);
  note([&](Log &log) {
    StringRef number = path;
    int descriptor;
    if (number.consume_front("/proc/self/fd/") && !number.getAsInteger(10, descriptor)) {
      auto found = log.reading.find(descriptor);
      if (length >= 0 && found != log.reading.end())
        log.add(LOOM_ACCESS_RESOLVED, log.events[found->second].path, StringRef(target, length));
    } else if (!isOwn(path)) {
      log.addOnce(LOOM_ACCESS_FORBIDDEN, "looks at a symbolic link");
    }
  });
  return length;
}

char *__real_realpath(const char *path, char *resolved);
char *__wrap_realpath(const char *path, char *resolved) {
  char *result = __real_realpath(path, resolved);
  note([&](Log &log) {
    if (result)
      log.add(LOOM_ACCESS_RESOLVED, path, result);
    else
      noteFailure(log, path, errno);
  });
  return result;
}

DIR *__real_opendir(const char *path);
DIR *__wrap_opendir(const char *path) {
  struct stat state;
  const bool known = __real_stat(path, &state) == 0;
  DIR *directory = __real_opendir(path);
  note([&](Log &log) {
    if (directory && known)
      log.addOnce(LOOM_ACCESS_LISTED, path, numbersOf(state));
    else
      noteFailure(log, path, errno);
  });
  return directory;
}

ssize_t __real_read(int descriptor, void *to, size_t size);
ssize_t __wrap_read(int descriptor, void *to, size_t size) {
  if (descriptor == STDIN_FILENO)
    loom::forbidCaching("reads standard input");
  return __real_read(descriptor, to, size);
}

// ------------------------------------------------------------------- effects

int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to) {
  int result = __real_rename(from, to);
  note([&](Log &log) {
    if (result == 0)
      log.add(LOOM_ACCESS_RENAMED, from, to);
    else
      log.addOnce(LOOM_ACCESS_FORBIDDEN, "output cannot be written");
  });
  return result;
}

static int noteRemoval(const char *path, int result) {
  note([&](Log &log) {
    if (result == 0 || errno == ENOENT)
      log.add(LOOM_ACCESS_REMOVED, path);
    else
      log.addOnce(LOOM_ACCESS_FORBIDDEN, "output cannot be removed");
  });
  return result;
}

int __real_unlink(const char *path);
int __wrap_unlink(const char *path) { return noteRemoval(path, __real_unlink(path)); }

int __real_remove(const char *path);
int __wrap_remove(const char *path) { return noteRemoval(path, __real_remove(path)); }

ssize_t __real_write(int descriptor, const void *bytes, size_t size);
ssize_t __wrap_write(int descriptor, const void *bytes, size_t size) {
  ssize_t written = __real_write(descriptor, bytes, size);
  if (written > 0)
    noteText(descriptor, StringRef(static_cast<const char *>(bytes), written));
  return written;
}

ssize_t __real_writev(int descriptor, const struct iovec *pieces, int count);
ssize_t __wrap_writev(int descriptor, const struct iovec *pieces, int count) {
  ssize_t written = __real_writev(descriptor, pieces, count);
  size_t left = written > 0 ? written : 0;
  for (int i = 0; i < count && left; ++i) {
    size_t length = std::min(left, pieces[i].iov_len);
    noteText(descriptor, StringRef(static_cast<const char *>(pieces[i].iov_base), length));
    left -= length;
  }
  return written;
}

int __real_posix_spawn(pid_t *child, const char *path, const posix_spawn_file_actions_t *actions,
                       const posix_spawnattr_t *attributes, char *const *arguments, char *const *environment);
int __wrap_posix_spawn(pid_t *child, const char *path, const posix_spawn_file_actions_t *actions,
                       const posix_spawnattr_t *attributes, char *const *arguments, char *const *environment) {
  if (actions)
    loom::forbidCaching("runs another program");
  note([&](Log &log) {
    std::string list;
    for (char *const *argument = arguments; *argument; ++argument)
      list += std::string(*argument) + '\0';
    log.add(LOOM_ACCESS_SPAWNED, path, list);
  });
  return __real_posix_spawn(child, path, actions, attributes, arguments, environment);
}

// Everything here makes a result that cannot be told from what was looked up.
#define FORBIDDEN(RESULT, NAME, PARAMETERS, ARGUMENTS, REASON)                                                          \
  RESULT __real_##NAME PARAMETERS;                                                                                     \
  RESULT __wrap_##NAME PARAMETERS {                                                                                    \
    loom::forbidCaching(REASON);                                                                                       \
    return __real_##NAME ARGUMENTS;                                                                                    \
  }

FORBIDDEN(int, mkdir, (const char *path, mode_t mode), (path, mode), "makes a directory")
FORBIDDEN(int, mknod, (const char *path, mode_t mode, dev_t device), (path, mode, device), "makes a special file")
FORBIDDEN(int, symlink, (const char *target, const char *path), (target, path), "makes a symbolic link")
FORBIDDEN(int, chdir, (const char *path), (path), "changes the working directory")
FORBIDDEN(time_t, time, (time_t * result), (result), "reads the clock")
FORBIDDEN(struct tm *, localtime, (const time_t *time), (time), "reads the clock")
FORBIDDEN(struct tm *, localtime_r, (const time_t *time, struct tm *result), (time, result), "reads the clock")
FORBIDDEN(int, gethostname, (char *name, size_t size), (name, size), "asks who the machine is")
FORBIDDEN(int, getpwnam_r, (const char *name, struct passwd *entry, char *buffer, size_t size, struct passwd **result),
          (name, entry, buffer, size, result), "asks who the user is")
FORBIDDEN(int, getpwuid_r, (uid_t user, struct passwd *entry, char *buffer, size_t size, struct passwd **result),
          (user, entry, buffer, size, result), "asks who the user is")
FORBIDDEN(int, execv, (const char *path, char *const *arguments), (path, arguments), "runs another program")
FORBIDDEN(int, execve, (const char *path, char *const *arguments, char *const *environment),
          (path, arguments, environment), "runs another program")

void *__real_dlopen(const char *path, int flags);
void *__wrap_dlopen(const char *path, int flags) {
  if (path)
    loom::forbidCaching("loads a plugin");
  return __real_dlopen(path, flags);
}

} // extern "C"

// The processor is asked by an instruction; its callers are what can be seen. The labels are the mangled names of
// llvm::sys::getHostCPUName and getHostCPUFeatures.
StringRef realProcessorName() __asm__("__real__ZN4llvm3sys14getHostCPUNameEv");
StringRef processorName() __asm__("__wrap__ZN4llvm3sys14getHostCPUNameEv");
StringRef processorName() {
  loom::forbidCaching("depends on this machine's processor");
  return realProcessorName();
}

llvm::StringMap<bool> realProcessorFeatures() __asm__("__real__ZN4llvm3sys18getHostCPUFeaturesEv");
llvm::StringMap<bool> processorFeatures() __asm__("__wrap__ZN4llvm3sys18getHostCPUFeaturesEv");
llvm::StringMap<bool> processorFeatures() {
  loom::forbidCaching("depends on this machine's processor");
  return realProcessorFeatures();
}
