// Reads JSON from the host, and writes parts of it as JSON text.
#pragma once

#include <string>
#include <string_view>

#include <inferbench/json_reader.hpp>

namespace reporters {

using ifb::find;
using ifb::json_value;
using ifb::text_of;
using ifb::to_text;
using ifb::write;

/// Returns `json` as a tree. A text that is not an object yields an object without members. Reading
/// is safe for any depth. to_text() and the functions below recurse; they rely on the host, which
/// limits the depth of its JSON.
[[nodiscard]] rapidjson::Document parse_object(std::string_view json);

/// Returns the plan's tables from ifb_run.config_json, without the member "resolved" and without
/// secrets in URLs.
[[nodiscard]] rapidjson::Document plan_of(std::string_view config_json);

/// Returns the member "resolved" of ifb_run.config_json, the description of the run
/// (docs/run-description.md), without secrets in URLs. Returns an empty object if there is none.
[[nodiscard]] rapidjson::Document description_of(std::string_view config_json);

/// Returns the flags that were given, also without secrets: the member "flags" of "resolved".
/// Returns a value that is not an object if the journal was written by an older version without
/// this member.
[[nodiscard]] rapidjson::Document flags_of(std::string_view config_json);

}  // namespace reporters
