// The files with test definitions for this machine.
#pragma once

#include <string>
#include <vector>

#include "perf/driver.hpp"
#include "perf/run_request.hpp"

namespace inferbench::perf {

struct read_definitions {
  chosen_tests tests;
  std::vector<std::string> notices;  // for each kind of test without a file a line for the user
};

/// Reads the file of each kind from the folder of tests: the file that the request names, or
/// "KIND-tests" + `suffix` + ".json", for instance "serving-tests-cpu.json". `suffix`:
/// device_set::file_suffix. A file that is not named may be missing. The tests that filters and
/// selector do not choose are left out. Throws base::error for a file that cannot be read, if there
/// is no file at all, if no test is chosen, and as test_definition.hpp describes.
[[nodiscard]] read_definitions read_definition_files(const run_request& request,
                                                     const std::string& suffix);

}  // namespace inferbench::perf
