// The old rule of upstream's script for answers in JSON. Pure function; any thread.
#pragma once

#include <string_view>

namespace scorers {

/// Removes all line feeds and spaces from the answer, also those in strings, and returns whether
/// the text from the first { to the last } is then JSON in Python's sense, which has NaN and
/// Infinity. Tabs stay, so a tab in a string makes the answer wrong. A list of several objects
/// always fails.
[[nodiscard]] bool upstream_accepts(std::string_view answer);

}  // namespace scorers
