// Patterns as text: "sine:mean=20,amplitude=10,period=60s", "steps:0s=10,30s=50".
// Rates are in requests per second; times have a unit, or are seconds.
#pragma once

#include <string>
#include <string_view>

#include "schedule/pattern.hpp"

namespace inferbench::schedule {

/// Throws base::error, whose remedy says how to correct the text.
[[nodiscard]] pattern parse_pattern(std::string_view text);

/// An example of each pattern, for help texts: "sine:... or steps:...".
[[nodiscard]] std::string pattern_examples();

/// A text that parse_pattern() reads as the same pattern.
[[nodiscard]] std::string text_of(const sine& of);
[[nodiscard]] std::string text_of(const steps& of);

}  // namespace inferbench::schedule
