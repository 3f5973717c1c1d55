// What the user asked for, as one line that a shell takes back: upstream prints its parsed
// arguments first, we the line itself.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "config/flags.hpp"
#include "options/option.hpp"

namespace inferbench::config {

/// "--backend openai-chat --header 'Authorization=(cut)'". Flags in their full names, each once
/// and in the order of the line; values of secrets and passwords in addresses are cut.
/// `options`: what is known of the flags; the first of a name counts.
[[nodiscard]] std::string command_echo(const command_line& line,
                                       std::span<const options::option> options);

/// A text value of `declared` without the password of an address in it (inferbench/text.hpp).
[[nodiscard]] std::string without_password(const options::option& declared, std::string_view text);

}  // namespace inferbench::config
