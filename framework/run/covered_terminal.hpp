// The time during which a reporter draws a screen on the terminal (IFB_REPORTER_LIVE): the log is
// held, and a signal that ends the process leaves a terminal that can be used.
#pragma once

#include <string>

#include "base/log.hpp"
#include "config/plan.hpp"

namespace inferbench::run {

/// Throws base::error if `wanted` is a screen and standard error cannot show it: it is not a
/// terminal, or `term`, the value of $TERM, names no terminal that can move its cursor. nullptr:
/// $TERM is not set.
void require_screen(const config::live_display& wanted, bool is_terminal, const std::string* term);

/// Owned by main. The screen must be gone before release() or the destructor.
class covered_terminal {
 public:
  /// `log` must outlive this object.
  explicit covered_terminal(base::log& log) : log_(log) {}
  covered_terminal(const covered_terminal&) = delete;
  covered_terminal& operator=(const covered_terminal&) = delete;
  ~covered_terminal() { release(); }

  /// Remembers the settings of the terminal that is standard error. Call it before the reporters
  /// begin: a screen turns off the echo. If the process ends before release() because of a
  /// signal or a crash, the terminal gets these settings and its normal screen back
  /// (base/kept_terminal.hpp).
  void remember();
  /// Holds the log.
  void cover();
  /// Writes the lines that came since cover(), and forgets the settings. Does nothing without
  /// remember() and cover().
  void release();

 private:
  base::log& log_;
};

}  // namespace inferbench::run
