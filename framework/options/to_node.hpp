// Converts a checked value to a node, for printing, and to the value of another option, for passing
// a value of the host to a plugin.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "options/environment.hpp"
#include "options/node.hpp"
#include "options/option.hpp"
#include "options/plugin_choice.hpp"

namespace inferbench::options {

/// `value`, which must be set, as a node that check() accepts.
[[nodiscard]] node node_of(const option& declared, const option_value& value);

/// `value`, which is a value of the option `from`, converted to the type of `declared`. Throws
/// base::error if `declared` cannot take the value.
[[nodiscard]] option_value converted(const option& declared, const option& from,
                                     const option_value& value, const environment& env);

/// Splits an item KEY=VALUE of a list of pairs. If the value is "${NAME}", it is replaced by the
/// value of the environment variable. Throws base::error if the variable is not set.
[[nodiscard]] std::pair<std::string, std::string> resolve_pair(std::string_view item,
                                                               const environment& env,
                                                               const base::source_position& where);

}  // namespace inferbench::options
