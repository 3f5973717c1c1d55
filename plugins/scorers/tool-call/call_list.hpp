// Calls of tools: those of an answer, and those that a data set expects.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scorers/common/json_tree.hpp"

namespace scorers {

struct call {
  std::string name;
  tree_outcome outcome = tree_outcome::no_json;  // of the arguments
  json_tree arguments;
};

/// Reads a JSON array of {"name": ..., "arguments": ...}. The arguments are a text, which contains
/// JSON, or an object. Returns nullopt if the text is something else.
[[nodiscard]] std::optional<std::vector<call>> read_calls(std::string_view text);

/// Returns whether both lists have the same calls, in any order. All arguments must have been read.
/// Changes the order of the lists.
[[nodiscard]] bool same_calls(std::vector<call>& a, std::vector<call>& b);

}  // namespace scorers
