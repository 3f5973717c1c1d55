// Patterns as text: "sine:mean=20,amplitude=10,period=60s", "steps:0s=10,30s=50". Rates are in
// requests per second. Times have a unit; without a unit they are in seconds.
#pragma once

#include <string>
#include <string_view>

#include "schedule/pattern.hpp"

namespace inferbench::schedule {

/// Throws base::error if the text is not a pattern; the remedy explains how to correct it.
[[nodiscard]] pattern parse_pattern(std::string_view text);

/// An example of each pattern, for help texts: "sine:... or steps:...".
[[nodiscard]] std::string pattern_examples();

/// The text of a pattern; parse_pattern() returns the same pattern for it.
[[nodiscard]] std::string text_of(const sine& of);
[[nodiscard]] std::string text_of(const steps& of);

}  // namespace inferbench::schedule
