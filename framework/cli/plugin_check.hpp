// `inferbench plugin check`: the conformance kit on the command line.
#pragma once

#include "cli/commands.hpp"

namespace inferbench::cli {

/// Arguments behind `check`. Status done when nothing failed or crashed, else incomplete.
int plugin_check(arguments args);

}  // namespace inferbench::cli
