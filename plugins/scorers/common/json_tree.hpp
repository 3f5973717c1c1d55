// The JSON values of an answer as a tree in one form, so that equal values have equal trees:
// members are sorted by name; of several members with one name, the last counts, like in Python's
// json; a whole number is an integer, whether it was written 1 or 1.0.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <rapidjson/document.h>

#include "json_text.hpp"

namespace scorers {

/// A larger answer is not checked: its tree would need more memory than the run.
inline constexpr std::size_t most_values = 1'000'000;

enum class tree_outcome : std::uint8_t { read, no_json, too_large };

/// Immutable after read(); one thread at a time. Movable.
class json_tree {
 public:
  /// Parses one JSON value. On another outcome than `read` the tree is null.
  [[nodiscard]] tree_outcome read(std::string_view text);

  [[nodiscard]] const rapidjson::Value& root() const noexcept { return root_; }
  [[nodiscard]] const json_size& size() const noexcept { return size_; }
  /// The sum of the squares of the lengths of all lists: how often a check of all pairs compares.
  [[nodiscard]] std::uint64_t pairs() const noexcept { return pairs_; }

 private:
  rapidjson::Document root_;
  json_size size_;
  std::uint64_t pairs_ = 0;
};

/// An order of the values of trees; equivalent values are equal as JSON. 1 and 1.0 are equal.
[[nodiscard]] std::weak_ordering compare(const rapidjson::Value& a, const rapidjson::Value& b);

/// Returns whether two trees are equal as JSON.
[[nodiscard]] inline bool same(const json_tree& a, const json_tree& b) {
  return compare(a.root(), b.root()) == 0;
}

}  // namespace scorers
