// What an entry of a list of recorded exchanges is: one that is not understood would be passed
// over, and a check without it is green.
#pragma once

#include <cstdint>
#include <string>

#include "base/json.hpp"

namespace inferbench::check {

/// Each a bit.
enum class form : std::uint8_t {
  none = 0,
  messages = 1,  // an answer, message by message
  bytes = 2,     // an answer as bytes
  request = 4,
  other = 8,  // what the tests of a plugin compare and the kit does not
};

/// Of `in`, an object. `none` where it is for another backend than `id`, or no recording at all.
/// Throws base::error at `place`: a member that there is not or that is of another form, a value of
/// the wrong type, an entry that has no form or no backend.
[[nodiscard]] form form_of(const base::json_value& in, const std::string& id,
                           const std::string& place);

}  // namespace inferbench::check
