// The patterns that most models cut text with, as code: the matches of PCRE2, about ten times as
// fast.
#pragma once

#include <cstddef>
#include <limits>
#include <string_view>
#include <vector>

#include "characters.hpp"
#include "dialect.hpp"

namespace tokenizers {

struct scan_result {
  static constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();
  std::size_t begin = nowhere;  // nowhere: no match
  std::size_t end = 0;
};

/// The first match at or after `from`, a boundary of characters; never an empty one. [any] thread.
using scanner = scan_result (*)(const character_table& kinds, std::string_view text,
                                std::size_t from);

/// The scanner for a pattern, which must have exactly a known text; null for all others.
[[nodiscard]] scanner scanner_for(std::string_view pattern, dialect written);

/// All patterns that have a scanner.
[[nodiscard]] std::vector<std::string_view> scanned_patterns();

}  // namespace tokenizers
