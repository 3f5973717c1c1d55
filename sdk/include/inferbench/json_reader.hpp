// JSON that others have written, read with RapidJSON: text to a tree, values of the tree by name or
// path, and a part of it as text again.
//
// Optional, and included by no other header of the SDK: a plugin that includes it needs the headers
// of RapidJSON (1.1.0 or later). With CMake:
//
//   find_package(inferbench-sdk 0.1 REQUIRED COMPONENTS json)
//   inferbench_add_plugin(acme KIND backend SOURCES acme.cpp LINK inferbench::json)
//
// Pure functions; a document belongs to one thread at a time. Values and texts point into the
// document and are gone with it.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <rapidjson/document.h>
#include <rapidjson/error/en.h>

#include <inferbench/guard.hpp>
#include <inferbench/json_writer.hpp>

namespace ifb {

using json_value = rapidjson::Value;
using json_document = rapidjson::Document;

/// Why a text is not JSON, and where. Lines and columns count from 1, columns in bytes.
struct json_error {
  std::string why;  // "Missing a comma or '}' after an object member"
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

/// Reads one JSON value, with blanks around it, into `out`; nothing else is allowed beside it.
/// Texts must be UTF-8; numbers keep every digit that a double or a 64-bit integer has. Nesting of
/// any depth costs heap, not stack. Nothing: `out` has the value.
[[nodiscard]] inline std::optional<json_error> parse_json(std::string_view text,
                                                          json_document& out) {
  constexpr unsigned flags = rapidjson::kParseFullPrecisionFlag |
                             rapidjson::kParseValidateEncodingFlag | rapidjson::kParseIterativeFlag;
  out.Parse<flags>(text.data(), text.size());
  if (!out.HasParseError()) return std::nullopt;
  json_error error;
  for (const char c : text.substr(0, out.GetErrorOffset())) {
    error.line += c == '\n' ? 1U : 0U;
    error.column = c == '\n' ? 1U : error.column + 1;
  }
  error.why = rapidjson::GetParseError_En(out.GetParseError());
  if (error.why.ends_with('.')) error.why.pop_back();
  return error;
}

/// The same for a call of a plugin: what is no JSON is thrown as failure{code, "malformed JSON at
/// line 1, column 5: Invalid value"}.
[[nodiscard]] inline json_document read_json(std::string_view text,
                                             ifb_status code = IFB_E_PROTOCOL) {
  json_document out;
  if (const auto error = parse_json(text, out))
    throw failure(code, "malformed JSON at line " + std::to_string(error->line) + ", column " +
                            std::to_string(error->column) + ": " + error->why);
  return out;
}

/// The member of an object; of several with one name the last, as in Python's json. nullptr where
/// `object` is no object, or nullptr, or has no such member.
[[nodiscard]] inline const json_value* find(const json_value* object,
                                            std::string_view name) noexcept {
  const json_value* out = nullptr;
  if (object == nullptr || !object->IsObject()) return out;
  for (auto at = object->MemberBegin(); at != object->MemberEnd(); ++at)
    if (name == std::string_view(at->name.GetString(), at->name.GetStringLength()))
      out = &at->value;
  return out;
}
[[nodiscard]] inline const json_value* find(const json_value& object,
                                            std::string_view name) noexcept {
  return find(&object, name);
}

/// The value at a path of names and, in arrays, of 0-based numbers: "choices.0.text". nullptr where
/// there is none.
[[nodiscard]] inline const json_value* find_path(const json_value& from,
                                                 std::string_view path) noexcept {
  const json_value* at = &from;
  for (;;) {
    const std::string_view step = path.substr(0, path.find('.'));
    if (at->IsArray()) {
      rapidjson::SizeType index = 0;
      const char* const end = step.data() + step.size();
      const auto [stop, problem] = std::from_chars(step.data(), end, index);
      const bool there = problem == std::errc() && stop == end && index < at->Size();
      at = there ? &(*at)[index] : nullptr;
    } else {
      at = find(at, step);
    }
    if (at == nullptr || step.size() == path.size()) return at;
    path.remove_prefix(step.size() + 1);
  }
}

/// The text of a string; empty for anything else, and for nullptr.
[[nodiscard]] inline std::string_view text_of(const json_value* value) noexcept {
  if (value == nullptr || !value->IsString()) return {};
  return {value->GetString(), value->GetStringLength()};
}

/// A whole number; `otherwise` for anything else, and for nullptr.
[[nodiscard]] inline std::int64_t integer_of(const json_value* value,
                                             std::int64_t otherwise = -1) noexcept {
  return value != nullptr && value->IsInt64() ? value->GetInt64() : otherwise;
}

/// Writes `value` in the layout of json_writer. Its depth is that of the calls.
inline void write(json_writer& out, const json_value& value) {
  switch (value.GetType()) {
    case rapidjson::kNullType: out.null(); return;
    case rapidjson::kFalseType: out.boolean(false); return;
    case rapidjson::kTrueType: out.boolean(true); return;
    case rapidjson::kStringType: out.string(text_of(&value)); return;
    case rapidjson::kNumberType:
      if (value.IsUint64())
        out.integer(value.GetUint64());
      else if (value.IsInt64())
        out.integer(value.GetInt64());
      else
        out.number(value.GetDouble());
      return;
    case rapidjson::kArrayType:
      out.begin_array();
      for (auto at = value.Begin(); at != value.End(); ++at)
        write(out, *at);
      out.end_array();
      return;
    case rapidjson::kObjectType:
      out.begin_object();
      for (auto at = value.MemberBegin(); at != value.MemberEnd(); ++at) {
        out.key(text_of(&at->name));
        write(out, at->value);
      }
      out.end_object();
      return;
  }
}

/// The JSON text of `value`, likewise.
[[nodiscard]] inline std::string to_text(const json_value& value) {
  json_writer out;
  write(out, value);
  return out.take();
}

}  // namespace ifb
