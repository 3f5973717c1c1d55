// `inferbench tune`: looks for the options with which a server has the highest throughput within a
// limit of latency, as the script auto_tune (docs/tune.md).
#pragma once

#include <span>
#include <string>

#include "base/output.hpp"
#include "tune/option_check.hpp"

namespace inferbench::tune {

// `args` are the arguments after `tune` and `tune batch`; with --help a function only writes its
// help. Texts for the user go to `to`. `readers`: the flags of serve and find that the user gives
// are read by them before a server is started (option_check.hpp). The functions return the exit
// status and throw base::error for what cannot be read, written or used, and options::usage_error
// for arguments that cannot be read.

/// One tuning. 0: it was carried out, also if no combination is within the limit. 1: no server
/// started or no combination could be measured, the profile failed, or the user interrupted.
int tune(std::span<const std::string> args, base::output& to, const command_readers& readers);
int tune(std::span<const std::string> args, base::output& to);  // with own_readers()

/// The tunings of a file, one after the other. 0: all succeeded.
int batch(std::span<const std::string> args, base::output& to, const command_readers& readers);
int batch(std::span<const std::string> args, base::output& to);  // with own_readers()

}  // namespace inferbench::tune
