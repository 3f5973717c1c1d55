// Reads JSON with RapidJSON: parses a text to a tree, finds values in the tree by name or path, and
// writes a part of the tree as text.
//
// Optional: no other header of the SDK includes it. A plugin that includes it needs the headers of
// RapidJSON (1.1.0 or later). With CMake:
//
//   find_package(inferbench-sdk 0.1 REQUIRED COMPONENTS json)
//   inferbench_add_plugin(acme KIND backend SOURCES acme.cpp LINK inferbench::json)
//
// The functions have no state. Only one thread at a time may use a document. Values and texts point
// into the document; they are valid until it is changed, parsed into again or destroyed.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <rapidjson/document.h>
#include <rapidjson/error/en.h>

#include <inferbench/guard.hpp>
#include <inferbench/json_writer.hpp>

namespace ifb {

using json_value = rapidjson::Value;
using json_document = rapidjson::Document;

/// The reason why a text is not JSON, and the position of the fault. Lines and columns count from
/// 1; columns count bytes.
struct json_error {
  std::string why;  // "Missing a comma or '}' after an object member"
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

/// Parses `text` into `out`. `text` must be one JSON value with optional white space around it.
/// Strings must be UTF-8. The escape of a low surrogate alone is accepted, see mend_surrogates().
/// Numbers keep the full precision of a double or a 64-bit integer. Deep nesting uses the heap and
/// not the stack. Returns nullopt on success, otherwise the error. `text` may be destroyed
/// afterwards.
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

/// Replaces each low surrogate in the strings of `out`, which parse_json() has read, by U+FFFD.
/// RapidJSON accepts the escape of a low surrogate without a high surrogate before it (`\udc00`),
/// and writes three bytes that are not UTF-8 for it. U+FFFD also has three bytes, so the text keeps
/// its length. Names of members stay as they are.
inline void mend_surrogates(json_document& out) {
  std::vector<json_value*> left{&out};
  while (!left.empty()) {
    json_value& next = *left.back();
    left.pop_back();
    if (next.IsArray())
      for (json_value& item : next.GetArray())
        left.push_back(&item);
    if (next.IsObject())
      for (auto& member : next.GetObject())
        left.push_back(&member.value);
    if (!next.IsString()) continue;
    auto* const text = const_cast<char*>(next.GetString());  // in the memory of `out`
    const std::string_view all(text, next.GetStringLength());
    for (std::size_t at = all.find('\xED'); at != std::string_view::npos;
         at = all.find('\xED', at + 3))
      if (static_cast<unsigned char>(all[at + 1]) >= 0xA0)
        std::memcpy(text + at, "\xEF\xBF\xBD", 3);
  }
}

/// Parses `text` like parse_json(), for code of a plugin that reports errors by exceptions. All
/// strings of the result, except names of members, are UTF-8. If the text is not JSON, throws
/// failure{code, "malformed JSON at line 1, column 5: Invalid value"}.
[[nodiscard]] inline json_document read_json(std::string_view text,
                                             ifb_status code = IFB_E_PROTOCOL) {
  json_document out;
  if (const auto error = parse_json(text, out))
    throw failure(code, "malformed JSON at line " + std::to_string(error->line) + ", column " +
                            std::to_string(error->column) + ": " + error->why);
  if (text.find("\\ud") != std::string_view::npos || text.find("\\uD") != std::string_view::npos)
    mend_surrogates(out);
  return out;
}

/// Returns the value of a member of an object. If several members have this name, returns the last
/// value, like Python's json. Returns nullptr if `object` is nullptr, is not an object, or does not
/// have the member.
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

/// Returns the value at a path of member names and 0-based array indices: "choices.0.text". Returns
/// nullptr if there is no value at this path.
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

/// Returns the text of a string; an empty text for every other value and for nullptr.
[[nodiscard]] inline std::string_view text_of(const json_value* value) noexcept {
  if (value == nullptr || !value->IsString()) return {};
  return {value->GetString(), value->GetStringLength()};
}

/// Returns the value of a signed 64-bit integer; `otherwise` for every other value (7.0, 2^63) and
/// for nullptr.
[[nodiscard]] inline std::int64_t integer_of(const json_value* value,
                                             std::int64_t otherwise = -1) noexcept {
  return value != nullptr && value->IsInt64() ? value->GetInt64() : otherwise;
}

/// Writes `value` in the layout of json_writer. Deep nesting uses the heap and not the stack.
inline void write(json_writer& out, const json_value& value) {
  struct container {
    const json_value* value;
    rapidjson::SizeType next;  // the first element or member that is not written yet
  };
  std::vector<container> open;
  const auto begin = [&](const json_value& each) {
    switch (each.GetType()) {
      case rapidjson::kNullType: out.null(); return;
      case rapidjson::kFalseType: out.boolean(false); return;
      case rapidjson::kTrueType: out.boolean(true); return;
      case rapidjson::kStringType: out.string(text_of(&each)); return;
      case rapidjson::kNumberType:
        if (each.IsUint64())
          out.integer(each.GetUint64());
        else if (each.IsInt64())
          out.integer(each.GetInt64());
        else
          out.number(each.GetDouble());
        return;
      case rapidjson::kArrayType: out.begin_array(); break;
      case rapidjson::kObjectType: out.begin_object(); break;
    }
    open.push_back({&each, 0});
  };
  begin(value);
  while (!open.empty()) {
    const json_value& parent = *open.back().value;
    const rapidjson::SizeType i = open.back().next++;
    if (parent.IsArray() && i < parent.Size()) {
      begin(parent[i]);
    } else if (parent.IsObject() && i < parent.MemberCount()) {
      const auto& member = parent.MemberBegin()[i];
      out.key(text_of(&member.name));
      begin(member.value);
    } else {
      parent.IsArray() ? out.end_array() : out.end_object();
      open.pop_back();
    }
  }
}

/// Returns the JSON text of `value`, in the layout of json_writer.
[[nodiscard]] inline std::string to_text(const json_value& value) {
  json_writer out;
  write(out, value);
  return out.take();
}

}  // namespace ifb
