// Reading what the host says in JSON, and writing parts of it again.
#pragma once

#include <string>
#include <string_view>

#include <rapidjson/document.h>

#include <inferbench/json_writer.hpp>

namespace reporters {

using json_value = rapidjson::Value;

/// `json` with every digit of its numbers. What is no object yields one without members. Any
/// depth is safe to read; what is below recurses, and relies on the host to limit the levels of
/// what it says.
[[nodiscard]] rapidjson::Document parse_object(std::string_view json);

/// nullptr where `object` is null or no object, or lacks the member.
[[nodiscard]] const json_value* member(const json_value* object, std::string_view name);

/// Empty where it is null or no text.
[[nodiscard]] std::string_view text_of(const json_value* value);

void write(ifb::json_writer& out, const json_value& value);
[[nodiscard]] std::string to_text(const json_value& value);

/// The plan's tables as they stand in ifb_run.config_json, less what the run made of
/// them ("resolved") and the secrets of addresses.
[[nodiscard]] rapidjson::Document plan_of(std::string_view config_json);

/// What was given by flag, likewise: the member "flags" of "resolved". Not an object where the
/// journal of an older version has none.
[[nodiscard]] rapidjson::Document flags_of(std::string_view config_json);

}  // namespace reporters
