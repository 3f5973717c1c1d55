// A checked value back: as a node for what is printed, and as the value of another option for what
// the host hands on to a plugin.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "options/environment.hpp"
#include "options/node.hpp"
#include "options/option.hpp"
#include "options/plugin_choice.hpp"

namespace inferbench::options {

/// A value that is set, as a node that check() accepts.
[[nodiscard]] node node_of(const option& declared, const option_value& value);

/// `value` of `from` in the type of `declared`. Throws base::error when the types do not go
/// together.
[[nodiscard]] option_value converted(const option& declared, const option& from,
                                     const option_value& value, const environment& env);

/// An item of a list of pairs, with the environment variable that it names filled in.
/// Throws base::error when that is not set.
[[nodiscard]] std::pair<std::string, std::string> resolve_pair(std::string_view item,
                                                               const environment& env,
                                                               const base::source_position& where);

}  // namespace inferbench::options
