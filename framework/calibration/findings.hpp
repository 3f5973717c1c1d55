// The findings of a calibration: records beside the simulator's log, as JSON and as a table. The
// definitions are those of accuracy.hpp; docs/calibration.md says it for users.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "calibration/accuracy.hpp"
#include "metrics/bounds.hpp"
#include "metrics/health.hpp"

namespace inferbench::calibration {

struct findings {
  accuracy how_far;
  std::uint64_t failed = 0;
  std::string first_error;
  metrics::verdict client;
  /// Of the requests that were compared, over the same events, and by their stamps alone: the log
  /// says nothing of how long the client took to send.
  std::vector<metrics::error_bound> bounds;
};

/// What was sent to the simulator.
struct calibrated_load {
  std::string backend;
  std::string ttft, itl;  // of the simulator
  std::uint64_t planned = 0;
  std::uint64_t requests = 0;  // of them, sent
};

/// The requests of `journal` beside those of the log `truth`; all but `client`. Throws base::error
/// when one of the files cannot be read.
[[nodiscard]] findings compare(const std::string& journal, const std::string& truth);

/// One object.
[[nodiscard]] std::string json_of(const findings& found, const calibrated_load& load);
/// The same for people, with line ends.
[[nodiscard]] std::string table_of(const findings& found, const calibrated_load& load);

}  // namespace inferbench::calibration
