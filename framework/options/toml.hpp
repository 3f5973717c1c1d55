// Reads a TOML file with toml++ into nodes, with positions and with "${NAME}" filled in.
#pragma once

#include <string>
#include <string_view>

#include "options/environment.hpp"
#include "options/node.hpp"

namespace inferbench::options {

/// Throws usage_error at file:line:column: a syntax error, a date, nesting that is too deep, an
/// environment variable that is not set. `file` is the name for messages.
[[nodiscard]] node parse_toml(std::string_view text, const std::string& file,
                              const environment& env);

/// One TOML value ("1.5", "\"a\"", "{ a = 1 }"), the declared default of an option. Environment
/// variables are not filled in. `place` is the name for messages.
[[nodiscard]] node parse_toml_literal(std::string_view text, const std::string& place);

}  // namespace inferbench::options
