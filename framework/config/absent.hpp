// Flags of upstream's datasets that this installation does not have. A script may give them
// for a dataset that it does not use; they are then read, and told to be without effect.
#pragma once

#include <vector>

#include "config/flag_table.hpp"
#include "config/option.hpp"

namespace inferbench::config {

/// Those that `known` does not spell; the group names the dataset ("dataset hf").
[[nodiscard]] std::vector<option> absent_options(const flag_table& known);

}  // namespace inferbench::config
