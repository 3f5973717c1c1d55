// The tree of a regular expression, for sample_pattern.hpp, which says which expressions are read.
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace inferbench::simulator {

/// A set of ASCII characters. Samples have no other characters, except those of literals.
using ascii_set = std::bitset<128>;

/// One part of an expression.
struct pattern_node {
  enum class kind : std::uint8_t { nothing, text, set, sequence, choice, repeat, begin, end };
  kind type = kind::nothing;
  std::string text;
  ascii_set set;
  std::vector<pattern_node> inside;  // of a sequence and a choice; of a repeat, one part
  std::uint32_t least = 0;
  std::uint32_t most = 0;
};

/// The tree of the expression. nullopt: it is malformed or unsupported, or has more than 8192 bytes
/// or 64 levels of groups.
[[nodiscard]] std::optional<pattern_node> read_pattern_tree(std::string_view pattern);

}  // namespace inferbench::simulator
