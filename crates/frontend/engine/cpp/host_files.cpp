// A read-only file system whose every look-up is answered, and thereby logged, by the host.

#include "host_files.h"

#include "bytes.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace {

std::error_code notFound() { return std::make_error_code(std::errc::no_such_file_or_directory); }

class HostFile : public vfs::File {
public:
  HostFile(const loom_compile_host &host, SmallString<128> path, vfs::Status state)
      : host(host), path(std::move(path)), state(std::move(state)) {}

  ErrorOr<vfs::Status> status() override { return state; }

  ErrorOr<std::unique_ptr<MemoryBuffer>> getBuffer(const Twine &name, int64_t, bool, bool) override {
    std::unique_ptr<MemoryBuffer> buffer;
    std::string bufferName = name.str();
    struct Target {
      std::unique_ptr<MemoryBuffer> &buffer;
      StringRef name;
    } target{buffer, bufferName};
    loom_sink sink{&target, [](void *context, loom_bytes content) {
                     auto *target = static_cast<Target *>(context);
                     target->buffer = MemoryBuffer::getMemBufferCopy(loom::text(content), target->name);
                   }};
    if (!host.content(host.context, loom::bytes(path), sink) || !buffer)
      return notFound();
    return buffer;
  }

  std::error_code close() override { return {}; }

protected:
  void setPath(const Twine &newPath) override { state = vfs::Status::copyWithNewName(state, newPath); }

private:
  const loom_compile_host &host;
  SmallString<128> path;
  vfs::Status state;
};

class HostDirectory : public vfs::detail::DirIterImpl {
public:
  explicit HostDirectory(std::vector<vfs::directory_entry> entries) : entries(std::move(entries)) {
    increment();
  }

  std::error_code increment() override {
    CurrentEntry = at < entries.size() ? entries[at++] : vfs::directory_entry();
    return {};
  }

private:
  std::vector<vfs::directory_entry> entries;
  size_t at = 0;
};

class HostFiles : public vfs::FileSystem {
public:
  HostFiles(const loom_compile_host &host, StringRef cwd, uint64_t clock)
      : host(host), cwd(cwd), modified(sys::toTimePoint(clock)) {}

  ErrorOr<vfs::Status> status(const Twine &path) override {
    SmallString<128> absolute = resolve(path);
    loom_file_state state{};
    host.file(host.context, loom::bytes(absolute), &state);
    if (state.kind == LOOM_FILE_ABSENT)
      return notFound();
    bool regular = state.kind == LOOM_FILE_REGULAR;
    return vfs::Status(path, sys::fs::UniqueID(state.identity[0], state.identity[1]), modified,
                       /*User=*/0, /*Group=*/0, state.length,
                       regular ? sys::fs::file_type::regular_file : sys::fs::file_type::directory_file,
                       sys::fs::perms::all_all);
  }

  ErrorOr<std::unique_ptr<vfs::File>> openFileForRead(const Twine &path) override {
    ErrorOr<vfs::Status> state = status(path);
    if (!state)
      return state.getError();
    if (!state->isRegularFile())
      return std::make_error_code(std::errc::is_a_directory);
    return std::make_unique<HostFile>(host, resolve(path), *state);
  }

  vfs::directory_iterator dir_begin(const Twine &path, std::error_code &error) override {
    struct Listing {
      SmallString<128> directory;
      std::vector<vfs::directory_entry> entries;
    } listing{SmallString<128>(), {}};
    path.toVector(listing.directory);
    loom_sink sink{&listing, [](void *context, loom_bytes entry) {
                     auto *listing = static_cast<Listing *>(context);
                     StringRef text = loom::text(entry);
                     SmallString<128> child(listing->directory);
                     sys::path::append(child, text.drop_front());
                     listing->entries.emplace_back(child.str().str(),
                                                   text.front() == 'd'
                                                       ? sys::fs::file_type::directory_file
                                                       : sys::fs::file_type::regular_file);
                   }};
    if (!host.directory(host.context, loom::bytes(resolve(path)), sink)) {
      error = notFound();
      return {};
    }
    error = {};
    return vfs::directory_iterator(std::make_shared<HostDirectory>(std::move(listing.entries)));
  }

  ErrorOr<std::string> getCurrentWorkingDirectory() const override { return cwd.str().str(); }

  std::error_code setCurrentWorkingDirectory(const Twine &path) override {
    cwd = resolve(path);
    return {};
  }

private:
  const loom_compile_host &host;
  SmallString<128> cwd;
  sys::TimePoint<> modified;

  SmallString<128> resolve(const Twine &path) const {
    SmallString<128> absolute;
    path.toVector(absolute);
    sys::path::make_absolute(cwd, absolute);
    return absolute;
  }
};

} // namespace

IntrusiveRefCntPtr<vfs::FileSystem> loom::makeHostFiles(const loom_compile_host &host, StringRef cwd,
                                                        uint64_t clock) {
  return makeIntrusiveRefCnt<HostFiles>(host, cwd, clock);
}
