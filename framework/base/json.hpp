// JSON for set-up and answers: RapidJSON behind a reader that knows positions.
// Writing is ifb::json_writer of the SDK, which plugins use too, so that every
// JSON text of this program has one layout.
#pragma once

#include <string>
#include <string_view>

#include <rapidjson/document.h>

#include <inferbench/json_writer.hpp>

namespace inferbench::base {

using json_value = rapidjson::Value;

/// Throws error "PLACE: malformed JSON at line L, column C: ...". `place` names
/// where the text is from: a path, a URL or a flag.
[[nodiscard]] rapidjson::Document parse_json(std::string_view text, const std::string& place);

/// The member, or nullptr where `object` is none or lacks it.
[[nodiscard]] const json_value* find(const json_value& object, std::string_view key) noexcept;

/// The text of a string value; empty for anything else.
[[nodiscard]] std::string_view text_of(const json_value* value) noexcept;

/// `value` as JSON text in the layout of ifb::json_writer.
[[nodiscard]] std::string to_text(const json_value& value);
void write(ifb::json_writer& out, const json_value& value);

}  // namespace inferbench::base
