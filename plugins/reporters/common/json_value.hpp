// Reads JSON from the host, and writes parts of it again.
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

/// `json` as a tree; a text that is no object yields one without members. Any depth is safe to
/// read; to_text() and the functions below recurse and rely on the host, which limits the depth
/// of its JSON.
[[nodiscard]] rapidjson::Document parse_object(std::string_view json);

/// The plan's tables as ifb_run.config_json has them, without the member "resolved" and the
/// secrets of addresses.
[[nodiscard]] rapidjson::Document plan_of(std::string_view config_json);

/// The flags that were given, likewise: the member "flags" of "resolved". No object if the journal
/// is of an older version without it.
[[nodiscard]] rapidjson::Document flags_of(std::string_view config_json);

}  // namespace reporters
