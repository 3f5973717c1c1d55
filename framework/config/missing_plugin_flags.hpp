// Flags of upstream's datasets whose plugins are not installed. A script may give flags of a
// dataset that it does not use. Such a flag is parsed like in upstream, and the user gets a warning
// that it has no effect.
#pragma once

#include <vector>

#include "config/flag_table.hpp"
#include "config/plan.hpp"
#include "options/environment.hpp"
#include "options/node.hpp"
#include "options/option.hpp"

namespace inferbench::config {

/// The flags of upstream's datasets that are not in `known`. Their group contains the name of the
/// dataset ("dataset hf").
[[nodiscard]] std::vector<options::option> missing_plugin_flags(const flag_table& known);

/// Checks the value of a flag that has no effect, and returns the value. Upstream's parser reads
/// every value, so the type is checked, but the range is not. `declared`: the declaration of the
/// flag from a plugin or from missing_plugin_flags(). Throws usage_error.
options::option_value check_idle(const options::option& declared, const options::node& given,
                                 const options::environment& env);

}  // namespace inferbench::config
