// Options of test definitions as words of a command line. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "options/node.hpp"

namespace inferbench::perf {

/// A value of a test definition as the text of one word: a text as it is, true, false, null, 4,
/// 0.7, and JSON for a list or a table. A number without a fraction has no decimal point (1.0 is
/// "1").
[[nodiscard]] std::string word_of(const options::node& value);

/// The members of a table in their order: "--" and the key, in which "_" becomes "-", and the value
/// as a word of its own. A member whose value is an empty text is a switch: it has no second word.
[[nodiscard]] std::vector<std::string> option_words(const options::node& table);

/// The members of a table of environment variables as words NAME=value.
[[nodiscard]] std::vector<std::string> environment_words(const options::node& table);

/// The member with the key, in which "_" and "-" are equal; nullptr if there is none.
[[nodiscard]] const options::node* option_of(const options::node& table, std::string_view key);

/// The table without the members with the key, in which "_" and "-" are equal.
[[nodiscard]] options::node without_option(const options::node& table, std::string_view key);

/// The words as a line that a shell, and Python's shlex.split(), splits into the same words.
[[nodiscard]] std::string shell_line(const std::vector<std::string>& words);

/// `below` and then `more`.
[[nodiscard]] std::vector<std::string> joined(std::vector<std::string> below,
                                              const std::vector<std::string>& more);

}  // namespace inferbench::perf
