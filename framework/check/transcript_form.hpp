// The form of an entry in a list of recorded exchanges. An entry that is not understood is an
// error: it would be passed over, and the check would pass without it.
#pragma once

#include <cstdint>
#include <string>

#include "base/json.hpp"

namespace inferbench::check {

/// One bit each.
enum class form : std::uint8_t {
  none = 0,
  messages = 1,  // an answer, message by message
  bytes = 2,     // an answer as bytes
  request = 4,
  other = 8,  // compared by the plugin's own tests and not by the kit
};

/// The form of `in`, an object. `none` if the entry is for another backend than `id`, or is
/// not a recording at all. Throws base::error at `place`: a member that does not exist or
/// belongs to another form, a value of the wrong type, an entry without a form or without a
/// backend.
[[nodiscard]] form form_of(const base::json_value& in, const std::string& id,
                           const std::string& place);

}  // namespace inferbench::check
