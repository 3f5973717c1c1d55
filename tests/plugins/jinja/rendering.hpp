// Renders one template at a fixed time, and returns the text or the error.
#pragma once

#include <string>
#include <string_view>

#include "common/jinja/chat_template.hpp"

namespace jinja {

/// The fixed time: 2024-07-26 12:34:56, a Friday.
inline wall_time friday() {
  wall_time out;
  out.local.tm_year = 124;
  out.local.tm_mon = 6;
  out.local.tm_mday = 26;
  out.local.tm_hour = 12;
  out.local.tm_min = 34;
  out.local.tm_sec = 56;
  out.local.tm_wday = 5;
  out.local.tm_yday = 207;
  return out;
}

inline options at_friday() {
  options out;
  out.clock = friday;
  return out;
}

/// The rendered text, or an error such as "TypeError: message".
inline std::string rendered(std::string_view source, std::string_view context = "{}",
                            const options& how = at_friday()) {
  try {
    return compile(source, "t").render(context, how);
  } catch (const error& failed) {
    return failed.type() + ": " + failed.message();
  }
}

}  // namespace jinja
