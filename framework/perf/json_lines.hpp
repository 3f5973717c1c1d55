// The layout of the small JSON files of a driver.
#pragma once

#include <string>

#include "options/node.hpp"

namespace inferbench::perf {

/// The value as JSON with 2 blanks for a level, and a line end, as `jq` prints it.
[[nodiscard]] std::string json_lines(const options::node& value);

}  // namespace inferbench::perf
