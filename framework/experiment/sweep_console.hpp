// The output of a sweep while it runs: upstream's lines to standard output, the status line and the
// texts of the benchmark to standard error. On a terminal the status line is always the last.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

#include "base/output.hpp"
#include "supervise/supervised_process.hpp"

namespace inferbench::experiment {

/// As many parts of the text, which are separated by ", " or "; ", as have room in `columns`; a
/// first part that has no room is cut.
[[nodiscard]] std::string_view parts_that_fit(std::string_view text, std::size_t columns);

/// Any thread may use it.
class sweep_console {
 public:
  /// `terminal`: the status line is redrawn in place; otherwise it is a line like others. `tell`
  /// writes to standard error. `out` is borrowed.
  sweep_console(base::output& out, bool terminal, std::function<void(std::string_view)> tell)
      : out_(out), terminal_(terminal), tell_(std::move(tell)) {}
  sweep_console(const sweep_console&) = delete;
  sweep_console& operator=(const sweep_console&) = delete;
  ~sweep_console();

  /// A line to standard output, at once: the reader may be a log that people follow.
  void line(const std::string& text);
  /// A line to standard error, for texts that upstream does not print: programs read standard
  /// output.
  void aside(const std::string& text) { pass_on(supervise::stream::error, text + "\n"); }
  /// The line that shows the progress.
  void status(const std::string& text);
  /// A text of a program that runs for the sweep, to the same stream of this process.
  void pass_on(supervise::stream from, std::string_view text);

 private:
  void clear();
  void draw();

  base::output& out_;
  bool terminal_;
  std::function<void(std::string_view)> tell_;
  std::mutex mutex_;
  std::string status_;
  bool drawn_ = false;
};

}  // namespace inferbench::experiment
