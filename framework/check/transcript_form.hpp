// The form of an entry in a list of recorded exchanges. An entry that is not understood is an
// error: if it were ignored, the check would pass without it.
#pragma once

#include <cstdint>
#include <string>

#include "base/json.hpp"

namespace inferbench::check {

/// Each form is one bit.
enum class form : std::uint8_t {
  none = 0,
  messages = 1,  // an answer that was recorded message by message
  bytes = 2,     // an answer that was recorded as bytes
  request = 4,
  other = 8,  // compared by the plugin's own tests and not by the kit
};

/// The form of `in`, a JSON object. Returns `none` if the entry is for another backend than `id`,
/// or is not a recording. Throws base::error with the position `place` if a member does not exist
/// or belongs to another form, if a value has the wrong type, or if the entry has no form or no
/// backend.
[[nodiscard]] form form_of(const base::json_value& in, const std::string& id,
                           const std::string& place);

}  // namespace inferbench::check
