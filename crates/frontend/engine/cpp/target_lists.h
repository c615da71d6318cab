// What a target supports, printed as -print-supported-cpus and its kin ask.

#pragma once

namespace clang {
class CompilerInvocation;
}

namespace loom {

/// Prints the list that the invocation asks for, if it asks for one; returns whether it did, and in `status` clang's
/// exit status.
bool printTargetList(const clang::CompilerInvocation &invocation, int &status);

} // namespace loom
