// Flags of upstream's datasets whose plugins are not installed. A script may give a flag for a
// dataset that it does not use: the flag is read as upstream's parser reads it, and a warning says
// that it has no effect.
#pragma once

#include <vector>

#include "config/flag_table.hpp"
#include "config/plan.hpp"
#include "options/environment.hpp"
#include "options/node.hpp"
#include "options/option.hpp"

namespace inferbench::config {

/// The flags that are not in `known`. Their group names the dataset ("dataset hf").
[[nodiscard]] std::vector<options::option> missing_plugin_flags(const flag_table& known);

/// Checks the value of a flag that has no effect. Upstream's parser reads every value, so the type
/// counts and the range does not. `declared`: by a plugin, or by missing_plugin_flags(). Returns
/// the value. Throws usage_error.
options::option_value check_idle(const options::option& declared, const options::node& given,
                                 const options::environment& env);

}  // namespace inferbench::config
