// Values of a row as JSON text again, in the layout of Python's json.dumps.
#pragma once

#include <string>

#include <rapidjson/document.h>

namespace bfcl {

/// Deeper values throw std::length_error.
inline constexpr int deepest = 200;

/// The value, unchanged.
[[nodiscard]] std::string json_of(const rapidjson::Value& value);

/// A function of the leaderboard, or a list of them, as a list of OpenAI's tools:
/// [{"type": "function", "function": ...}]. In each object a text in "type" that is a Python name
/// becomes that of JSON Schema: dict object, float number, tuple array, any string.
[[nodiscard]] std::string tools_of(const rapidjson::Value& functions);

}  // namespace bfcl
