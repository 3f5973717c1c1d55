// The progress bar on a terminal. It shows the done and total requests, the rate, the requests in
// flight, failures and the time left. If the number of requests is not known, the bar shows the
// time that has passed. During the ready check it shows the elapsed time and the time left. The
// main thread draws the bar. It is hidden while a log line is written.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>

#include "base/log.hpp"

namespace inferbench::run {

struct progress_state {
  std::uint64_t total = 0;  // UINT64_MAX: not known
  std::uint64_t done = 0;   // including failed requests
  std::uint64_t failed = 0;
  std::uint64_t in_flight = 0;
  std::uint64_t elapsed_ns = 0;
  std::uint64_t limit_ns = 0;  // the time for which requests are sent; 0: no limit
};

/// The line without a newline, at most `width` columns. The time left is computed from the average
/// rate so far; with a limit of time it is at most the rest of that time.
[[nodiscard]] std::string progress_line(const progress_state& state, unsigned width);

/// A bar, the elapsed time and the time left of `limit_ns`: "[####....] 0:04 < 0:26".
[[nodiscard]] std::string countdown_line(std::uint64_t elapsed_ns, std::uint64_t limit_ns,
                                         unsigned width);

/// A duration as text: "1:02:03", "2:05" or "0:07".
[[nodiscard]] std::string clock_text(std::uint64_t seconds);

/// Draws on standard error if standard error is a terminal and `wanted` is true; otherwise does
/// nothing.
class progress_bar {
 public:
  explicit progress_bar(bool wanted);
  ~progress_bar() { end(); }
  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;

  void draw(const progress_state& state);
  void draw_countdown(std::uint64_t elapsed_ns, std::uint64_t limit_ns);
  /// Hides the line, so that other text can be written; redraw() shows it again. Any thread.
  void clear();
  void redraw();
  /// Hides the line; redraw() does nothing afterwards until the next draw.
  void end();

 private:
  void show(std::string line);
  void write(const std::string& text);

  bool on_;
  std::mutex mutex_;
  std::string shown_;
};

/// While this object exists, the bar is hidden whenever a log line is written.
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
