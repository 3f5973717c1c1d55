// A report of the kit for people, for programs and for CI systems.
#pragma once

#include <string>

#include "check/kit.hpp"

namespace inferbench::check {

/// The lines of one result. `begins`: the result is the first of its plugin, so the name of the
/// plugin comes before it.
[[nodiscard]] std::string to_text(const result& r, bool begins);
/// "38 passed, 1 warned, 2 failed, 0 crashed, 1 skipped"
[[nodiscard]] std::string totals_of(const report& r);

/// The report as one JSON object.
[[nodiscard]] std::string to_json(const report& r);
/// The report in the XML format of JUnit, with one suite for each plugin. A failed test is a
/// failure, a crash is an error, and warnings are in system-out.
[[nodiscard]] std::string to_junit(const report& r);

/// All tests, one line for each.
[[nodiscard]] std::string list_of_tests();

}  // namespace inferbench::check
