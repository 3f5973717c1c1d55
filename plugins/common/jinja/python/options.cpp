#include "options.hpp"

#include <chrono>

namespace jinja {

wall_time system_wall_time() {
  const auto now = std::chrono::system_clock::now();
  const auto whole = std::chrono::floor<std::chrono::seconds>(now);
  const std::time_t seconds = std::chrono::system_clock::to_time_t(whole);
  wall_time out;
  static_cast<void>(localtime_r(&seconds, &out.local));
  out.microsecond =
      static_cast<int>(std::chrono::duration_cast<std::chrono::microseconds>(now - whole).count());
  return out;
}

}  // namespace jinja
