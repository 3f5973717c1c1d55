// The check of the input of a comparison.
#pragma once

#include "comparison/input.hpp"

namespace inferbench::comparison {

/// Throws base::error as compare() describes.
void check_input(const comparison_input& input);

}  // namespace inferbench::comparison
