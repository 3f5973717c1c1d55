// The value of a declared option, from a node. No other place decides what a duration, a size or a
// choice is: defaults and environment variables are checked here, too.
#pragma once

#include "options/environment.hpp"
#include "options/node.hpp"
#include "options/option.hpp"
#include "options/plugin_choice.hpp"

namespace inferbench::options {

/// The value that `given` stands for. Throws base::error at its position: wrong type,
/// out of range, no such choice; messages begin with the path of the key unless the
/// position is a flag.
[[nodiscard]] option_value check(const option& declared, const node& given, const environment& env);

/// The declared default; without a default, a value that is not set.
[[nodiscard]] option_value fallback_of(const option& declared, const environment& env);

}  // namespace inferbench::options
