// The command line of the user, as one line that a shell can run again. Upstream begins its output
// with its parsed arguments, this program with the command line.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "config/flags.hpp"
#include "options/option.hpp"

namespace inferbench::config {

/// "--backend openai-chat --header 'Authorization=(cut)'". Each flag stands once, with its
/// full name, in the order of the line. Secret values and passwords in addresses are replaced by
/// "(cut)". `options`: the declarations of the flags; the first declaration of a name counts.
[[nodiscard]] std::string command_echo(const command_line& line,
                                       std::span<const options::option> options);

/// A text value of `declared` without the password of an address in it (inferbench/text.hpp).
[[nodiscard]] std::string without_password(const options::option& declared, std::string_view text);

}  // namespace inferbench::config
