// Texts that match a regular expression, and texts that do not. It reads the common part of the
// regular expressions of Python and RE2: literals, ., \w \d \s \W \D \S \n \t and other escapes,
// classes, groups, alternatives, repetitions, ^ at the beginning and $ at the end. All other
// constructs, such as references and assertions, make the expression unsupported. Pure functions;
// time and memory are bounded for every expression.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace inferbench::simulator {

struct pattern_samples {
  std::string matching;  // the whole text matches the expression
  // A text of which no beginning matches; nullopt: every text or nearly every text matches.
  std::optional<std::string> other;
};

/// Samples for the expression. A repetition of a class has four signs if its bounds allow it, and
/// any other repetition is as short as possible; of alternatives the first counts. nullopt: the
/// expression is malformed or unsupported, or its shortest text has more than 4096 bytes.
[[nodiscard]] std::optional<pattern_samples> samples_of(std::string_view pattern);

}  // namespace inferbench::simulator
