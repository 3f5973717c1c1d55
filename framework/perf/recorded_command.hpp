// The options of a command line that the driver recorded in a file `.commands`. Pure functions.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "options/node.hpp"

namespace inferbench::perf {

/// Options by name with their dashes: "--request-rate". The last of equal options counts. The pairs
/// of --metadata are a table of texts.
using recorded_options = std::map<std::string, options::node, std::less<>>;

/// The options of a line, which is split like a line of a shell. The first two words are the
/// program and its script. "--name value" and "--name=value" have the value of the text, "--name"
/// before another option or at the end is true, and other words are ignored. --metadata takes all
/// words NAME=VALUE up to the next option. Throws base::error with the position `place` for a line
/// that cannot be split or that has fewer than two words.
[[nodiscard]] recorded_options recorded_options_of(std::string_view line, const std::string& place);

/// The value of a word: null, true and false in any case, a whole number ("+3", "007"), or a
/// decimal number with digits behind the point (".5", "-2.50"); otherwise the text ("inf", "5.",
/// "1e3").
[[nodiscard]] options::node recorded_value(std::string_view word);

}  // namespace inferbench::perf
