// Reading what the host says in JSON, and writing parts of it again.
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

/// `json` as a tree; an object without members where it is not an object. Any depth is safe to
/// read; to_text() and the functions below recurse, and rely on the host to limit the levels of
/// what it says.
[[nodiscard]] rapidjson::Document parse_object(std::string_view json);

/// The plan's tables as they stand in ifb_run.config_json, less what the run made of
/// them ("resolved") and the secrets of addresses.
[[nodiscard]] rapidjson::Document plan_of(std::string_view config_json);

/// What was given by flag, likewise: the member "flags" of "resolved". Not an object where the
/// journal of an older version has none.
[[nodiscard]] rapidjson::Document flags_of(std::string_view config_json);

}  // namespace reporters
