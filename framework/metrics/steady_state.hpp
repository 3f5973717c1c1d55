// Figures of the steady state: the part of a closed-loop run in which the concurrency has been
// reached and has not yet begun its final fall. The rule comes from vLLM's second client. It
// applies to runs with a concurrency limit in which all requests are due at the start.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "metrics/context.hpp"
#include "metrics/peaks.hpp"
#include "metrics/statistics.hpp"

namespace inferbench::metrics {

/// A part of the run. Times are ns of the host clock.
struct steady_window {
  std::uint64_t begin = 0;      // when the threshold was reached for the first time
  std::uint64_t end = 0;        // when concurrency fell below the threshold for the last time; not
                                // part of the window
  std::uint64_t threshold = 0;  // number of requests at once
  std::uint64_t peak = 0;       // the largest number of requests at once

  [[nodiscard]] bool holds(std::uint64_t at) const noexcept { return begin <= at && at < end; }
};

/// Whether a run of this kind may have a steady state.
[[nodiscard]] bool has_steady_state(const context& run) noexcept;

/// The number of requests at once from which the state is steady: a share of the concurrency limit,
/// at least 1.
[[nodiscard]] std::uint64_t steady_threshold(const context& run) noexcept;

/// The window begins when `threshold` spans are open at once for the first time. It ends when the
/// number falls below `threshold` for the last time. At the same instant, ends are counted before
/// starts. If the threshold is never reached, `begin` and `end` are 0, and `peak` is still correct.
[[nodiscard]] steady_window find_steady_window(const std::vector<span>& spans,
                                               std::uint64_t threshold);

/// Collects the requests and events that are inside the window.
class steady_state {
 public:
  /// `run` must outlive this object.
  steady_state(const context& run, const std::vector<span>& successes);

  /// Adds a successful request. `first`: the time of its first token, ns of the host clock. `input`
  /// and `output`: the tokens of its prompt and of its answer.
  void add(const span& served, std::uint64_t first, std::uint32_t input, std::uint32_t output);
  void add_event(std::uint64_t at) noexcept { events_ += window_.holds(at) ? 1U : 0U; }

  /// The reason why there are no figures; empty if there are figures.
  [[nodiscard]] std::string missing() const;
  /// The object `steady_state` of a result file; "null" if there are no figures.
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
