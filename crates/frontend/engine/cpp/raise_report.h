// The outcome of raising, for whoever started it.

#pragma once

#include "raise.h"

namespace loom::raising {

/// The outcome as one JSON object. Payloads of hints are in hexadecimal, since file names may hold any byte.
std::string writeReport(const Outcome &outcome);

} // namespace loom::raising
