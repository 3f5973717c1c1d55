// Figures of a server that is kept full: of the part of a closed-loop run in which the
// concurrency had been reached and had not begun to fall for good. The rule is that of
// vLLM's second client; it applies to runs with a cap in which all requests are due at once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "metrics/context.hpp"
#include "metrics/peaks.hpp"
#include "metrics/statistics.hpp"

namespace inferbench::metrics {

/// Times are ns of the host clock.
struct steady_window {
  std::uint64_t begin = 0;      // the threshold was reached first
  std::uint64_t end = 0;        // it was lost last; itself outside
  std::uint64_t threshold = 0;  // requests at once
  std::uint64_t peak = 0;       // most that were observed at once

  [[nodiscard]] bool holds(std::uint64_t at) const noexcept { return begin <= at && at < end; }
};

/// Whether a run of this kind may have a steady state.
[[nodiscard]] bool has_steady_state(const context& run) noexcept;

/// Requests at once from which on the state is steady: a share of the cap, at least one.
[[nodiscard]] std::uint64_t steady_threshold(const context& run) noexcept;

/// From the first time that `threshold` of the spans were open at once to the last time
/// that they became fewer; ends come before starts of the same instant. Where that never
/// happened begin and end are 0; `peak` is right anyway.
[[nodiscard]] steady_window find_steady_window(const std::vector<span>& spans,
                                               std::uint64_t threshold);

/// Requests and events that fall into a window.
class steady_state {
 public:
  /// `run` must outlive this.
  steady_state(const context& run, const std::vector<span>& successes);

  /// A success. `first`: its first token, ns of the host clock; `input` and `output`: the tokens of
  /// its prompt and of its answer.
  void add(const span& served, std::uint64_t first, std::uint32_t input, std::uint32_t output);
  void add_event(std::uint64_t at) noexcept { events_ += window_.holds(at) ? 1U : 0U; }

  /// The reason why there are no figures; empty if there are figures.
  [[nodiscard]] std::string missing() const;
  /// The object `steady_state` of a result file; "null" without figures.
  [[nodiscard]] std::string to_json();

 private:
  const context& run_;
  steady_window window_;
  std::uint64_t first_start_ = 0;
  std::uint64_t total_ = 0;
  std::uint64_t started_ = 0;
  std::uint64_t completed_ = 0;
  std::uint64_t input_ = 0;
  std::uint64_t events_ = 0;
  std::vector<double> ttft_;  // ms
  std::vector<double> tpot_;
};

}  // namespace inferbench::metrics
