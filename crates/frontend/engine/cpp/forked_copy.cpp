// A copy of this process that goes its own way and answers with a normalized module.

#include "forked_copy.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/ErrorHandling.h"

#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace llvm;

namespace {

/// Writes all of `bytes`; false if the reader is gone.
bool writeAll(int descriptor, StringRef bytes) {
  while (!bytes.empty()) {
    ssize_t written = sys::RetryAfterSignal(-1, ::write, descriptor, bytes.data(), bytes.size());
    if (written <= 0)
      return false;
    bytes = bytes.drop_front(written);
  }
  return true;
}

std::string readAll(int descriptor) {
  std::string bytes;
  std::vector<char> buffer(1 << 16);
  while (true) {
    ssize_t count = sys::RetryAfterSignal(-1, ::read, descriptor, buffer.data(), buffer.size());
    if (count <= 0)
      return bytes;
    bytes.append(buffer.data(), count);
  }
}

void putField(std::string &message, StringRef field) {
  uint64_t length = field.size();
  message.append(reinterpret_cast<const char *>(&length), sizeof length);
  message.append(field);
}

/// Takes one field off the front; false if the message ends early.
bool takeField(StringRef &message, StringRef &field) {
  uint64_t length;
  if (message.size() < sizeof length)
    return false;
  std::memcpy(&length, message.data(), sizeof length);
  message = message.drop_front(sizeof length);
  if (message.size() < length)
    return false;
  field = message.take_front(length);
  message = message.drop_front(length);
  return true;
}

} // namespace

std::unique_ptr<loom::ForkedCopy> loom::ForkedCopy::make(std::string &problem) {
  int ends[2];
  if (::pipe(ends) != 0) {
    problem = "cannot make a pipe: " + sys::StrError();
    return nullptr;
  }
  pid_t child = ::fork();
  if (child < 0) {
    problem = "cannot fork: " + sys::StrError();
    ::close(ends[0]);
    ::close(ends[1]);
    return nullptr;
  }
  ::close(ends[child == 0 ? 0 : 1]);
  return std::unique_ptr<ForkedCopy>(new ForkedCopy(child, ends[child == 0 ? 1 : 0]));
}

loom::ForkedCopy::~ForkedCopy() {
  if (pipe >= 0)
    ::close(pipe);
}

void loom::ForkedCopy::detach() const {
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGPIPE})
    ::signal(signal, SIG_DFL);
  remove_fatal_error_handler();
  install_fatal_error_handler([](void *, const char *, bool) { ::_exit(1); });
  int nowhere = ::open("/dev/null", O_WRONLY);
  // The conversation with a host goes both ways and may go on; the original waits meanwhile.
  for (int descriptor = 1; descriptor < 1024; ++descriptor) {
    int flags = ::fcntl(descriptor, F_GETFL);
    if (flags >= 0 && descriptor != pipe && (descriptor <= 2 || (flags & O_ACCMODE) == O_WRONLY))
      ::dup2(nowhere, descriptor);
  }
}

void loom::ForkedCopy::answer(bool ok, const NormalizedModule &module, StringRef code, StringRef message) const {
  std::string reply;
  if (ok) {
    putField(reply, module.triple);
    putField(reply, module.layout);
    putField(reply, {module.bitcode.data(), module.bitcode.size()});
  } else {
    putField(reply, code);
    putField(reply, message);
  }
  ::_exit(writeAll(pipe, reply) ? 0 : 1);
}

bool loom::ForkedCopy::result(NormalizedModule &module, std::string &code, std::string &message) {
  auto fail = [&](const Twine &why) {
    code = "llvm_module_invalid";
    message = why.str();
    return false;
  };
  std::string reply = readAll(pipe);
  int status = 0;
  sys::RetryAfterSignal(-1, ::waitpid, child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return fail("normalization died");

  StringRef rest = reply, first, second, bitcode;
  if (!takeField(rest, first) || !takeField(rest, second))
    return fail("normalization was cut short");
  if (!takeField(rest, bitcode)) {
    code = first.str();
    message = second.str();
    return false;
  }
  module.triple = first.str();
  module.layout = second.str();
  module.bitcode.assign(bitcode.begin(), bitcode.end());
  return true;
}
