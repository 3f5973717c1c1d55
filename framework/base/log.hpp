// Writes lines for the user to standard error; each line has a level. Implemented with spdlog. Code
// that logs gets the log by reference; any thread may log.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace inferbench::base {

enum class log_level : std::uint8_t { trace, debug, info, warning, error, critical, off };

class log {
 public:
  /// Writes lines of at least `level` to standard error.
  explicit log(log_level level = log_level::info);
  /// Passes each line of at least `level`, without a prefix, to `sink`, which must be thread-safe.
  /// For tests.
  log(log_level level, std::function<void(log_level, std::string_view)> sink);
  log(const log&) = delete;
  log& operator=(const log&) = delete;
  ~log();

  /// Writes one line. `line` has no line ending.
  void write(log_level level, std::string_view line);
  void info(std::string_view line) { write(log_level::info, line); }
  void warning(std::string_view line) { write(log_level::warning, line); }
  void error(std::string_view line) { write(log_level::error, line); }

  [[nodiscard]] log_level level() const noexcept { return level_; }

  /// Sets functions that are called before and after each line is written. The progress bar uses
  /// them to clear and redraw itself. Empty functions remove them. Any thread may call this.
  void around_lines(std::function<void()> before, std::function<void()> after);

  /// From now on keeps lines in memory instead of writing them, because something else draws on the
  /// terminal. `uncover` ends the drawing by force, see release_at_once(). A second call before
  /// release() has no effect. Any thread may call this and the functions below.
  void hold(std::function<void()> uncover = {});
  /// Writes the kept lines and ends hold(). Does nothing without hold().
  void release();
  /// For the end of the process: calls `uncover`, and then release(). Does nothing without hold().
  void release_at_once();
  /// The newest kept lines with their level, "warning: ...", at most `count`; the oldest is first.
  [[nodiscard]] std::vector<std::string> kept(std::size_t count) const;

 private:
  struct state;
  log_level level_;
  std::unique_ptr<state> state_;
};

}  // namespace inferbench::base
