// The line on a terminal that tells how far a run is: done/total, rate, in flight,
// failures, time left; or, while it waits for the server, how long it still will. Drawn
// by main; log lines step around it.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>

#include "base/log.hpp"

namespace inferbench::run {

struct progress_state {
  std::uint64_t total = 0;
  std::uint64_t done = 0;  // failed ones too
  std::uint64_t failed = 0;
  std::uint64_t in_flight = 0;
  std::uint64_t elapsed_ns = 0;
};

/// The line without line ends, at most `width` columns. Time left: by the rate so far.
[[nodiscard]] std::string progress_line(const progress_state& state, unsigned width);

/// How much of `limit_ns` has passed: "[####....] 0:04 < 0:26".
[[nodiscard]] std::string countdown_line(std::uint64_t elapsed_ns, std::uint64_t limit_ns,
                                         unsigned width);

/// "1:02:03", "2:05" or "0:07".
[[nodiscard]] std::string clock_text(std::uint64_t seconds);

/// Draws on standard error when that is a terminal and `wanted`; otherwise nothing.
class progress_bar {
 public:
  explicit progress_bar(bool wanted);
  ~progress_bar() { end(); }
  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;

  void draw(const progress_state& state);
  void draw_countdown(std::uint64_t elapsed_ns, std::uint64_t limit_ns);
  /// Takes the line away, so that something else can be written; redraw() brings it
  /// back. Any thread.
  void clear();
  void redraw();
  /// Takes it away for good.
  void end();

 private:
  void show(std::string line);
  void write(const std::string& text);

  bool on_;
  std::mutex mutex_;
  std::string shown_;
};

/// Log lines step around the bar as long as this lives.
class beside_log_lines {
 public:
  beside_log_lines(base::log& log, progress_bar& bar);
  beside_log_lines(const beside_log_lines&) = delete;
  beside_log_lines& operator=(const beside_log_lines&) = delete;
  ~beside_log_lines();

 private:
  base::log& log_;
};

}  // namespace inferbench::run
