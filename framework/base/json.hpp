// JSON for set-up and answers: the reader and the writer of the SDK. Errors contain the source of
// the text.
#pragma once

#include <string>
#include <string_view>

#include <inferbench/json_reader.hpp>
#include <inferbench/json_writer.hpp>

namespace inferbench::base {

using ifb::find;
using ifb::json_value;
using ifb::text_of;
using ifb::to_text;
using ifb::write;

/// Throws error "PLACE:LINE:COLUMN: malformed JSON: ...". `place` names the source of the text: a
/// path, a URL or a flag.
[[nodiscard]] rapidjson::Document parse_json(std::string_view text, const std::string& place);

}  // namespace inferbench::base
