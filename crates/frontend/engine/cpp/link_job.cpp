// Link jobs that are watched: the linker is the driver's, its arguments and its fate are the observer's.

#include "link_job.h"

#include "bytes.h"
#include "loom_link.h"

#include "clang/Driver/Action.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"

using namespace clang::driver;

static const loom_link_observer *observer;

namespace {

class ObservedLink : public Command {
public:
  explicit ObservedLink(const Command &original) : Command(original) {}

  int Execute(llvm::ArrayRef<std::optional<llvm::StringRef>> redirects, std::string *error,
              bool *executionFailed) const override {
    std::vector<std::string> replaced = replacedArguments();
    llvm::opt::ArgStringList arguments;
    for (const std::string &argument : replaced)
      arguments.push_back(argument.c_str());
    Command again(*this);
    again.replaceArguments(arguments);
    bool failed = false;
    int status = again.Command::Execute(redirects, error, &failed);
    if (executionFailed)
      *executionFailed = failed;
    // A linker that cannot be started is the driver's to report.
    if (failed)
      return status;
    observer->after(observer->context, status);
    return 0;
  }

private:
  std::vector<std::string> replacedArguments() const {
    llvm::SmallVector<loom_bytes, 64> arguments, sources;
    for (const char *argument : getArguments())
      arguments.push_back(loom::bytes(argument));
    for (const InputInfo &input : getInputInfos())
      if (input.isFilename() && input.getBaseInput() &&
          llvm::StringRef(input.getFilename()) != input.getBaseInput()) {
        sources.push_back(loom::bytes(input.getFilename()));
        sources.push_back(loom::bytes(input.getBaseInput()));
      }
    std::vector<std::string> replaced;
    auto keep = [](void *context, loom_bytes value) {
      static_cast<std::vector<std::string> *>(context)->push_back(loom::text(value).str());
    };
    observer->before(observer->context, loom::bytes(getExecutable()), arguments.data(), arguments.size(),
                     sources.data(), sources.size(), {&replaced, keep});
    return replaced;
  }
};

} // namespace

void loom_observe_links(const loom_link_observer *next) { observer = next; }

std::unique_ptr<Command> loom::observeLink(const Command &job) {
  if (!observer || !llvm::isa<LinkJobAction>(job.getSource()))
    return nullptr;
  return std::make_unique<ObservedLink>(job);
}
