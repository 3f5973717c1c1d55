// Makes the model of the screen from the host's live figures.
#pragma once

#include <inferbench/abi.h>

#include "history.hpp"
#include "model.hpp"

namespace reporters {

class live_model {
 public:
  explicit live_model(const ifb_run& run);

  /// What the screen shows at the time of `live`. Figures and facts that are missing are left out.
  [[nodiscard]] screen_model update(const ifb_snapshot& live);

 private:
  screen_model fixed_;  // what does not change during the run
  std::uint64_t started_ns_;
  history past_;
};

}  // namespace reporters
