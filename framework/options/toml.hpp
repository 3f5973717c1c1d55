// Reads a TOML file with toml++ into nodes with positions. "${NAME}" is replaced by the value of
// the environment variable.
#pragma once

#include <string>
#include <string_view>

#include "options/environment.hpp"
#include "options/node.hpp"

namespace inferbench::options {

/// Parses a TOML file. Throws usage_error, with file:line:column, for a syntax error, a date, too
/// deep nesting, or an environment variable that is not set. `file`: the name of the file for
/// messages.
[[nodiscard]] node parse_toml(std::string_view text, const std::string& file,
                              const environment& env);

/// Parses one TOML value ("1.5", "\"a\"", "{ a = 1 }"), such as the declared default of an option.
/// Does not replace environment variables. `place`: the origin of the text, for messages. Throws
/// usage_error for anything else: with place:line:column, or only with the place if lines follow
/// the value.
[[nodiscard]] node parse_toml_literal(std::string_view text, const std::string& place);

}  // namespace inferbench::options
