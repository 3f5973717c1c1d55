// The clock and the limits of a rendering.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <functional>

namespace jinja {

/// The time that strftime_now formats: local, as Python's naive datetime has it.
struct wall_time {
  std::tm local{};
  int microsecond = 0;
};

/// The system's clock and time zone.
[[nodiscard]] wall_time system_wall_time();

struct options {
  std::function<wall_time()> clock = system_wall_time;
  /// Bytes of the longest text, the result included. More is a MemoryError.
  std::size_t max_output = std::size_t{64} << 20;
  /// Bytes that all values of one rendering hold at once. More is a MemoryError.
  std::size_t max_memory = std::size_t{512} << 20;
  /// Steps: a statement, an element of an iteration, or 64 bytes of text. More is a TimeoutError.
  std::uint64_t max_steps = 100'000'000;
};

}  // namespace jinja
