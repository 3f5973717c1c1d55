// Reads JSON from the host, and writes parts of it again.
#pragma once

#include <string>
#include <string_view>

#include <rapidjson/document.h>

#include <inferbench/json_writer.hpp>

namespace reporters {

using json_value = rapidjson::Value;

/// `json` with every digit of its numbers. A text that is no object yields one without members. Any
/// depth is safe to read; the functions below recurse and rely on the host, which limits the depth
/// of its JSON.
[[nodiscard]] rapidjson::Document parse_object(std::string_view json);

/// nullptr where `object` is null or no object, or lacks the member.
[[nodiscard]] const json_value* member(const json_value* object, std::string_view name);

/// The text; empty if it is null or no text.
[[nodiscard]] std::string_view text_of(const json_value* value);

void write(ifb::json_writer& out, const json_value& value);
[[nodiscard]] std::string to_text(const json_value& value);

/// The plan's tables as ifb_run.config_json has them, without the member "resolved" and the
/// secrets of addresses.
[[nodiscard]] rapidjson::Document plan_of(std::string_view config_json);

/// The flags that were given, likewise: the member "flags" of "resolved". No object if the journal
/// is of an older version without it.
[[nodiscard]] rapidjson::Document flags_of(std::string_view config_json);

}  // namespace reporters
