// Rules of Loom's own in reports in SARIF.

#pragma once

#include "clang/Frontend/CompilerInstance.h"

namespace loom {

/// Where `instance` reports in SARIF: makes the category of a refused candidate the id of its rule (decision 9),
/// where clang writes a number.
void nameSarifRules(clang::CompilerInstance &instance);

} // namespace loom
