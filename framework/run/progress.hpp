// The progress bar on a terminal. It shows the done and total requests, the rate, the requests in
// flight, failures and the time left. If the number of requests is not known, the bar shows the
// time that has passed. During the ready check it shows the elapsed time and the time left. The
// main thread draws the bar. It is hidden while a log line is written.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "base/log.hpp"

namespace inferbench::run {

/// progress_state::total if the number of requests is not known.
inline constexpr std::uint64_t unknown_total = std::numeric_limits<std::uint64_t>::max();

struct progress_state {
  std::uint64_t total = 0;  // or unknown_total
  std::uint64_t done = 0;   // including failed requests
  std::uint64_t failed = 0;
  std::uint64_t in_flight = 0;
  std::uint64_t elapsed_ns = 0;
  std::uint64_t limit_ns = 0;  // the time for which requests are sent; 0: no limit
};

/// The line without a newline, at most `width` columns. The time left is computed from the average
/// rate so far; with a limit of time it is at most the rest of that time.
[[nodiscard]] std::string progress_line(const progress_state& state, unsigned width);

/// The line without its bar, of any length: " 25% 5/20  1.0 req/s  2 in flight  0:05 < 0:15".
[[nodiscard]] std::string plain_progress_line(const progress_state& state);

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

/// Lines about the progress for standard error that is not a terminal, such as the log of a CI job:
/// after every 10 s of the run. One thread.
class progress_lines {
 public:
  /// `write` gets each line, without a newline. An empty function: there are no lines.
  explicit progress_lines(std::function<void(std::string_view)> write) : write_(std::move(write)) {}

  void draw(const progress_state& state);

 private:
  std::function<void(std::string_view)> write_;
  std::uint64_t written_ = 0;  // the number of intervals at the latest line
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
