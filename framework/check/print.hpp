// A report of the kit for people, for programs and for CI systems.
#pragma once

#include <string>

#include "check/kit.hpp"

namespace inferbench::check {

/// The lines of one result, with the name of its plugin in front where `begins`: the first
/// result of a group.
[[nodiscard]] std::string to_text(const result& r, bool begins);
/// "38 passed, 1 warned, 2 failed, 0 crashed, 1 skipped"
[[nodiscard]] std::string totals_of(const report& r);

/// The report as one JSON object.
[[nodiscard]] std::string to_json(const report& r);
/// The report in the form of JUnit, a suite for each plugin. Failures are failures, crashes are
/// errors, warnings stand in system-out.
[[nodiscard]] std::string to_junit(const report& r);

/// All tests, a line each.
[[nodiscard]] std::string list_of_tests();

}  // namespace inferbench::check
