// The calls of tools in an answer. expected_calls.hpp has the calls that a data set expects.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <rapidjson/document.h>

#include "scorers/common/json_tree.hpp"

namespace scorers {

struct call {
  std::string name;
  tree_outcome outcome = tree_outcome::no_json;  // of the arguments
  json_tree arguments;
};

/// Reads {"name": ..., "arguments": ...}. The arguments are a text, which contains JSON, or an
/// object. Returns nullopt if the value is something else.
[[nodiscard]] std::optional<call> call_of(const rapidjson::Value& value);

/// Reads a JSON array of such values. Returns nullopt if the text is something else.
[[nodiscard]] std::optional<std::vector<call>> read_calls(std::string_view text);

}  // namespace scorers
