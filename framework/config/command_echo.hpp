// The command line of the user, as one line that a shell can run again. It is the first line of
// this program's output, where upstream prints its parsed arguments.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/flags.hpp"
#include "options/option.hpp"

namespace inferbench::config {

/// A line such as "--backend openai-chat --header 'Authorization=(cut)'". Each flag appears once,
/// with its full name, in the order of the command line. Secret values and passwords in URLs are
/// replaced by "(cut)". `options`: the declarations of the flags; the first declaration of a name
/// counts.
[[nodiscard]] std::string command_echo(const command_line& line,
                                       std::span<const options::option> options);

/// kept: the words make the same run. cut: they can be printed.
enum class secrets : std::uint8_t { kept, cut };
/// The words of such a line, without quotes.
[[nodiscard]] std::vector<std::string> command_words(const command_line& line,
                                                     std::span<const options::option> options,
                                                     secrets how = secrets::kept);

/// `text`, TABLE.KEY=VALUE, with "(cut)" for the value of a secret option and for the password of a
/// URL.
[[nodiscard]] std::string set_without_secret(const std::string& text,
                                             std::span<const options::option> options);

/// `text`, the value of the option `declared`. If the value is a URL, its user name and password
/// are replaced by "(cut)" (inferbench/text.hpp).
[[nodiscard]] std::string without_password(const options::option& declared, std::string_view text);

}  // namespace inferbench::config
