// Command lines of servers and benchmarks, and the combinations that change them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sweep/item.hpp"

namespace inferbench::sweep {

// Pure functions.

/// The longest argument that a program of Linux can have, in bytes (execve(2): MAX_ARG_STRLEN with
/// the zero at its end).
inline constexpr std::size_t longest_argument = 131071;

/// Splits a command line by the rules of a POSIX shell: quotes and backslashes, no expansion and no
/// comments. As in Python's shlex.split(), a backslash in double quotes stays unless it is before
/// a quotation mark, a backslash or a line break. Throws base::error with the position `flag`: a
/// quotation mark that is not closed, a backslash at the end, or no program.
[[nodiscard]] std::vector<std::string> split_words(std::string_view line, const std::string& flag);

/// The command with the parameters of an item. An option that the command has as a word of its own
/// (not --NAME=VALUE) is replaced, with the word behind it if the parameter is not a boolean; other
/// options are appended. Only the first occurrence is replaced.
[[nodiscard]] std::vector<std::string> applied(std::vector<std::string> command, const item& with);

/// The words of a command with "(cut)" for passwords in addresses, for the values of headers, and
/// for the values of options, keys (KEY=VALUE) and environment variables whose names end with key,
/// token, password or secret.
[[nodiscard]] std::vector<std::string> without_secrets(std::vector<std::string> command);

}  // namespace inferbench::sweep
