// The commands of `inferbench perf`: the tool chain of performance dashboards. Test definitions are
// run, their results become a page and a list of rows, and several such lists are compared
// (docs/perf.md).
#pragma once

#include <span>
#include <string>

#include "base/output.hpp"

namespace inferbench::perf {

// `args` are the arguments after `perf run`, `perf convert` and `perf compare`; with --help a
// function only writes its help. Texts for the user go to `to`. The functions return the exit
// status: 0, or 1 if a part failed and the rest was carried out. They throw base::error for what
// cannot be read, written or used, and options::usage_error for arguments that cannot be read.

/// Runs test definitions and converts their results.
int run(std::span<const std::string> args, base::output& to);

/// Makes benchmark_results.md and benchmark_results.json from a folder of results.
int convert(std::span<const std::string> args, base::output& to);

/// Compares files benchmark_results.json.
int compare(std::span<const std::string> args, base::output& to);

}  // namespace inferbench::perf
