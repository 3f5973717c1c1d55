// The progress of a sweep, in one line: which combination, which run, the time left, and the
// figures of the last run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include <inferbench/json_reader.hpp>

#include "base/clock.hpp"

namespace inferbench::experiment {

/// "12.3 req/s, median TTFT 45.1 ms, p99 TPOT 20 ms": the figures that the result has, empty if it
/// has none; "no request completed" if the result says so.
[[nodiscard]] std::string figures_text(const ifb::json_value& result);

struct sweep_position {
  std::size_t combination = 0;  // counts from 1
  std::size_t combinations = 0;
  std::string level;  // of a search: "request_rate=16"; otherwise empty
  int run = 0;        // counts from 1; 0: the warm-up
  int runs = 0;
};

/// Used by one thread.
class sweep_progress {
 public:
  /// `show` gets the line each time it changes: on a terminal (`redrawn`) at the beginning and the
  /// end of each run and once a second, otherwise at the end of each run.
  sweep_progress(const base::clock& clock, bool redrawn,
                 std::function<void(const std::string&)> show);

  /// The number of runs that are still to be made; nullopt if it is not known, and then no time
  /// left is shown. The time of the first call counts as the beginning.
  void set_left(std::optional<std::size_t> runs);

  void begin(const sweep_position& at);
  /// Call it often during a run.
  void tick();
  /// The run is over; nullptr: it failed.
  void end(const ifb::json_value* result);

  [[nodiscard]] std::string line() const;

 private:
  [[nodiscard]] std::optional<std::uint64_t> seconds_left() const;

  const base::clock& clock_;
  bool redrawn_;
  std::function<void(const std::string&)> show_;
  std::optional<std::size_t> left_;
  std::size_t done_ = 0;
  std::optional<std::uint64_t> began_;  // the sweep
  std::uint64_t run_began_ = 0;
  std::uint64_t shown_ = 0;
  bool running_ = false;
  sweep_position at_;
  std::string last_;  // figures of the last run
};

}  // namespace inferbench::experiment
