// The files with test definitions for this machine.
#pragma once

#include <string>
#include <vector>

#include "perf/driver.hpp"
#include "perf/run_request.hpp"

namespace inferbench::perf {

struct read_definitions {
  chosen_tests tests;
  std::vector<std::string> notices;  // kinds of tests without a file
};

/// Reads the file of each kind from the folder of tests: the file that the request names, or
/// "serving-tests", `suffix` and ".json" and so on. A file that is not named may be missing. The
/// tests that filters and selector do not choose are left out. Throws base::error for a named file
/// that is missing, if there is no file at all, if no test is chosen, and as test_definition.hpp
/// describes.
[[nodiscard]] read_definitions read_definition_files(const run_request& request,
                                                     const std::string& suffix);

}  // namespace inferbench::perf
