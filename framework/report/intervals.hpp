// The figures of a run or a point with their intervals, in the form that reporters of several runs
// receive.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/abi.h>

namespace inferbench::report {

/// A list of ifb_interval that owns the texts to which its views point. One thread at a time.
class interval_list {
 public:
  interval_list() = default;
  interval_list(interval_list&&) noexcept = default;
  interval_list& operator=(interval_list&&) noexcept = default;
  interval_list(const interval_list&) = delete;
  interval_list& operator=(const interval_list&) = delete;

  struct entry {
    std::string_view name, statistic, unit;
    double value = 0, low = 0, high = 0;
    double confidence = 0;
    std::uint64_t observations = 0;
  };
  void add(const entry& one);
  /// Valid until the next add().
  [[nodiscard]] std::span<const ifb_interval> views() const noexcept { return views_; }

 private:
  const char* kept(std::string_view text);

  std::deque<std::string> texts_;
  std::vector<ifb_interval> views_;
};

/// The bounds of a run's percentiles, from the fact `certainty` of its summary (docs/results.md):
/// each is one-sided, so `low` is -inf. A percentile that the sample cannot certify has a `high` of
/// +inf. Empty if the summary has no such fact. The fact may come from a journal: members with
/// other types than expected are left out.
[[nodiscard]] interval_list bounds_of(const ifb_summary& summary);

/// The figures of a point that has one run: mean, median and percentiles of each summary, and the
/// value of each scalar. One run is one observation, from which no interval follows: the limits are
/// infinite and the confidence is 0.
[[nodiscard]] interval_list figures_of_one_run(std::span<const ifb_metric> metrics);

}  // namespace inferbench::report
