// `inferbench plugin check`: the conformance kit on the command line.
#pragma once

#include "cli/commands.hpp"

namespace inferbench::cli {

/// Arguments after `check`. Returns `done` if nothing failed or crashed, otherwise `incomplete`.
int plugin_check(arguments args);

}  // namespace inferbench::cli
