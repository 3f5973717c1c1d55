// `inferbench tune`: looks for the options with which a server has the highest throughput within a
// limit of latency, as the script auto_tune (docs/tune.md).
#pragma once

#include <span>
#include <string>

#include "base/output.hpp"

namespace inferbench::tune {

// `args` are the arguments after `tune` and `tune batch`; with --help a function only writes its
// help. Texts for the user go to `to`. The functions return the exit status and throw base::error
// for what cannot be read, written or used, and options::usage_error for arguments that cannot be
// read.

/// One tuning. 0: it was carried out, also if no combination is within the limit. 1: no server
/// started or no combination could be measured, the profile failed, or the user interrupted.
int tune(std::span<const std::string> args, base::output& to);

/// The tunings of a file, one after the other. 0: all succeeded.
int batch(std::span<const std::string> args, base::output& to);

}  // namespace inferbench::tune
