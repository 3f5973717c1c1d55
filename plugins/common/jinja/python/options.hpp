// The clock and the limits of a rendering.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <functional>

namespace jinja {

/// The time that strftime_now formats: local time without a time zone, like Python's naive
/// datetime.
struct wall_time {
  std::tm local{};
  int microsecond = 0;
};

/// Returns the time of the system's clock in the system's time zone.
[[nodiscard]] wall_time system_wall_time();

struct options {
  std::function<wall_time()> clock = system_wall_time;
  /// The maximum length of any text in bytes, including the result. A longer text causes a
  /// MemoryError.
  std::size_t max_output = std::size_t{64} << 20;
  /// The maximum number of bytes that all values of one rendering hold at the same time. If they
  /// need more, a MemoryError is raised.
  std::size_t max_memory = std::size_t{512} << 20;
  /// The maximum number of steps. A step is a statement, an element of an iteration, or 64 bytes of
  /// text. After more steps, a TimeoutError is raised.
  std::uint64_t max_steps = 100'000'000;
  /// Whether writing an undefined value into a text raises its UndefinedError, like Jinja2's
  /// StrictUndefined. Otherwise the text gets nothing.
  bool strict = false;
};

}  // namespace jinja
