// Writes values of a row as JSON text, in the layout of Python's json.dumps.
#pragma once

#include <string>

#include <rapidjson/document.h>

namespace bfcl {

/// The maximum depth of a value. The functions below throw std::length_error for deeper values.
inline constexpr int deepest = 200;

/// Returns the JSON text of the value, unchanged.
[[nodiscard]] std::string json_of(const rapidjson::Value& value);

/// Returns a function of the leaderboard, or a list of functions, as a list of OpenAI's tools:
/// [{"type": "function", "function": ...}]. In each object, a member "type" with the name of a
/// Python type gets the name of JSON Schema: dict becomes object, float number, tuple array, any
/// string.
[[nodiscard]] std::string tools_of(const rapidjson::Value& functions);

}  // namespace bfcl
