// The measurement of one start, of an engine or of a server.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace inferbench::startup {

/// A part of a start.
struct start_phase {
  std::string name;      // "listening"
  bool missing = false;  // it did not happen; the members below mean nothing then
  // Nanoseconds since 1970-01-01 UTC, from the monotonic clock and one reading of both clocks.
  std::int64_t start_ns = 0, end_ns = 0;
  /// The duration may differ by so much because begin or end were seen late.
  double uncertainty_s = 0;

  [[nodiscard]] double duration_s() const noexcept {
    return static_cast<double>(end_ns - start_ns) / 1e9;
  }
};

/// Plain data.
struct start_sample {
  double startup_s = 0;                                // until it was ready
  std::optional<double> compilation_s{}, encoder_s{};  // parts of it; nullopt: not measured
  std::vector<start_phase> phases{};                   // in the order of time; empty: not measured
  std::vector<std::string> remarks{};  // for the user, such as why a phase is missing
};

/// The time from the begin of the first phase to the end of the last; nullopt if there is no
/// phase, or if one is missing.
[[nodiscard]] std::optional<double> whole_time(const start_sample& of);

/// One start that can be repeated. One thread.
class repeatable_start {
 public:
  repeatable_start() = default;
  repeatable_start(const repeatable_start&) = delete;
  repeatable_start& operator=(const repeatable_start&) = delete;
  virtual ~repeatable_start() = default;

  /// Starts, measures and ends it; nothing of it is left afterwards. `environment`: NAME=value for
  /// the started program only, besides the environment of this process. Throws base::error if it
  /// cannot be started or measured.
  [[nodiscard]] virtual start_sample start(std::span<const std::string> environment) = 0;
};

}  // namespace inferbench::startup
