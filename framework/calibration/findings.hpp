// The findings of a calibration: records compared with the simulator's log, as JSON and as a table.
// The errors are defined in accuracy.hpp; docs/calibration.md explains them to users.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "calibration/accuracy.hpp"
#include "metrics/bounds.hpp"
#include "metrics/health.hpp"

namespace inferbench::calibration {

struct findings {
  bool pooling = false;  // the requests have an E2EL, but no TTFT and no ITL
  accuracy how_far;
  std::uint64_t failed = 0;
  std::string first_error;
  metrics::verdict client;
  /// Error bounds of the compared requests and events. They cover late stamps only, because the log
  /// does not show how long the client took to send a request.
  std::vector<metrics::error_bound> bounds;
};

/// The load that was sent to the simulator.
struct calibrated_load {
  std::string backend;
  std::string ttft, itl;  // delays of the simulator, in the format of `inferbench simulate`
  std::uint64_t planned = 0;
  std::uint64_t requests = 0;  // requests that were sent
};

/// Compares the requests of the journal file `journal` with the requests of the ground-truth log
/// `truth`. `pooling`: whether they are pooling requests. Sets all members of the result except
/// `client`. Throws base::error if one of the files cannot be read.
[[nodiscard]] findings compare(const std::string& journal, const std::string& truth,
                               bool pooling = false);

/// The findings as one JSON object.
[[nodiscard]] std::string json_of(const findings& found, const calibrated_load& load);
/// The findings as a table for people; each line has a line ending.
[[nodiscard]] std::string table_of(const findings& found, const calibrated_load& load);

}  // namespace inferbench::calibration
