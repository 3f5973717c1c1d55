// A comparison as JSON. Pure functions. docs/comparison-method.md describes the members.
#pragma once

#include <string>

#include "comparison/comparison.hpp"

namespace inferbench::comparison {

/// An object with everything that comparison_result has. Values that do not exist are null.
[[nodiscard]] std::string comparison_json(const comparison_result& result);

}  // namespace inferbench::comparison
