// The findings of a calibration: records compared with the simulator's log, as JSON and as a table.
// Definitions are in accuracy.hpp; docs/calibration.md explains them to users.
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
  /// Bounds for the compared requests and events, for late stamps only: the log does not show how
  /// long the client took to send.
  std::vector<metrics::error_bound> bounds;
};

/// The load that was sent to the simulator.
struct calibrated_load {
  std::string backend;
  std::string ttft, itl;  // of the simulator
  std::uint64_t planned = 0;
  std::uint64_t requests = 0;  // requests that were sent
};

/// Compares the requests of `journal` with those of the log `truth`; sets all members except
/// `client`. Throws base::error if one of the files cannot be read.
[[nodiscard]] findings compare(const std::string& journal, const std::string& truth);

/// One JSON object.
[[nodiscard]] std::string json_of(const findings& found, const calibrated_load& load);
/// The same for people, with line ends.
[[nodiscard]] std::string table_of(const findings& found, const calibrated_load& load);

}  // namespace inferbench::calibration
