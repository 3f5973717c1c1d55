// `inferbench plugin check`: the conformance kit on the command line.
#pragma once

#include "cli/commands.hpp"

namespace inferbench::cli {

/// `args`: the arguments after `check`. Returns `done` if no test failed or crashed, otherwise
/// `incomplete`.
int plugin_check(arguments args);

}  // namespace inferbench::cli
