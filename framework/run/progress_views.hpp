// Everything that shows how far a run is while its traffic goes on: the progress bar, the lines
// about the progress, and the board for the live figures of reporters.
#pragma once

#include "config/plan.hpp"
#include "run/live_board.hpp"
#include "run/progress.hpp"
#include "run/reporting.hpp"

namespace inferbench::run {

/// Whether a reporter may draw a screen on standard error.
[[nodiscard]] bool draws_screen(const reporting& reporters);

/// Used by the main thread.
class progress_views {
 public:
  /// `screen`: a reporter draws a screen, so neither bar nor lines are written. There are lines
  /// only if the user asked for the progress and standard error is not a terminal. `board` must
  /// outlive this object.
  progress_views(const config::live_display& wanted, bool screen, live_board& board);

  void draw(const live_state& now);
  /// The bar, which is hidden beside other text. Valid as long as this object.
  [[nodiscard]] progress_bar& bar() noexcept { return bar_; }

 private:
  progress_bar bar_;
  progress_lines lines_;
  live_board& board_;
};

}  // namespace inferbench::run
