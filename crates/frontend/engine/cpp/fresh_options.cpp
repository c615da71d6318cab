// Normalization that no LLVM option of this process can reach.

#include "fresh_options.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Errno.h"

#include <cstring>
#include <string>
#include <vector>
#include <sys/wait.h>
#include <unistd.h>

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

bool loom::inFreshOptions(
    function_ref<bool(NormalizedModule &, std::string &, std::string &)> normalize,
    NormalizedModule &result, std::string &code, std::string &message) {
  auto fail = [&](const Twine &why) {
    code = "llvm_module_invalid";
    message = why.str();
    return false;
  };
  int ends[2];
  if (::pipe(ends) != 0)
    return fail("cannot make a pipe: " + sys::StrError());
  pid_t child = ::fork();
  if (child < 0) {
    std::string why = sys::StrError();
    ::close(ends[0]);
    ::close(ends[1]);
    return fail("cannot fork: " + why);
  }
  if (child == 0) {
    ::close(ends[0]);
    cl::ResetAllOptionOccurrences();
    NormalizedModule module;
    std::string itsCode, itsMessage, reply;
    if (normalize(module, itsCode, itsMessage)) {
      putField(reply, module.triple);
      putField(reply, module.layout);
      putField(reply, {module.bitcode.data(), module.bitcode.size()});
    } else {
      putField(reply, itsCode);
      putField(reply, itsMessage);
    }
    // No exit handlers: the process they belong to is the parent.
    ::_exit(writeAll(ends[1], reply) ? 0 : 1);
  }
  ::close(ends[1]);
  std::string reply = readAll(ends[0]);
  ::close(ends[0]);
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
  result.triple = first.str();
  result.layout = second.str();
  result.bitcode.assign(bitcode.begin(), bitcode.end());
  return true;
}
