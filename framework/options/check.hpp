// Makes the value of a declared option from a node. All checks of values are here: defaults and
// environment variables are checked here, too.
#pragma once

#include "options/environment.hpp"
#include "options/node.hpp"
#include "options/option.hpp"
#include "options/plugin_choice.hpp"

namespace inferbench::options {

/// The value that `given` describes. Throws base::error, with the position of `given`, if the type
/// is wrong, if the value is out of range, or if it is not one of the choices. Messages begin with
/// the path of the key unless the position is a flag.
[[nodiscard]] option_value check(const option& declared, const node& given, const environment& env);

/// The declared default, which the option must have, before it is checked. Throws base::error that
/// names the plugin if the default is not TOML.
[[nodiscard]] node default_of(const option& declared);

/// The declared default. If the option has no default, a value that is not set. Throws base::error
/// that names the plugin if the default is not a value of the option.
[[nodiscard]] option_value fallback_of(const option& declared, const environment& env);

}  // namespace inferbench::options
