// A report of the kit for people, for programs and for CI systems.
#pragma once

#include <string>

#include "check/kit.hpp"

namespace inferbench::check {

/// Lines of one result, the name of its plugin in front where `begins`: a group begins.
[[nodiscard]] std::string to_text(const result& r, bool begins);
/// "38 passed, 1 warned, 2 failed, 0 crashed, 1 skipped"
[[nodiscard]] std::string totals_of(const report& r);

/// One object.
[[nodiscard]] std::string to_json(const report& r);
/// A suite for each plugin. Failures are failures, crashes are errors, warnings stand in
/// system-out.
[[nodiscard]] std::string to_junit(const report& r);

/// The tests that there are, a line each.
[[nodiscard]] std::string list_of_tests();

}  // namespace inferbench::check
