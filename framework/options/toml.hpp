// A TOML file -> nodes with positions and with "${NAME}" filled in; toml++ behind it.
#pragma once

#include <string>
#include <string_view>

#include "options/environment.hpp"
#include "options/node.hpp"

namespace inferbench::options {

/// Throws base::error at file:line:column: a syntax error, a date, an environment
/// variable that is not set. `file` is the name for messages.
[[nodiscard]] node parse_toml(std::string_view text, const std::string& file,
                              const environment& env);

/// One TOML value ("1.5", "\"a\"", "{ a = 1 }") without environment variables: the
/// declared default of an option. `place` is the name for messages.
[[nodiscard]] node parse_toml_literal(std::string_view text, const std::string& place);

}  // namespace inferbench::options
