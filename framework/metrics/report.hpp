// The figures of a run in the form that reporters receive. A report owns every number and text to
// which its views point. After it is made it is read-only, so any thread may read it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/abi.h>

#include "metrics/goal_result.hpp"
#include "metrics/statistics.hpp"
#include "metrics/table.hpp"

namespace inferbench::metrics {

class report {
 public:
  report() = default;
  report(report&&) = default;
  report& operator=(report&&) = default;
  report(const report&) = delete;
  report& operator=(const report&) = delete;

  /// The figures in the order of the table. Figures that the run does not have are left out.
  [[nodiscard]] std::span<const ifb_metric> metrics() const noexcept { return metrics_; }
  /// nullptr if the run does not have the figure.
  [[nodiscard]] const ifb_metric* find(std::string_view name) const noexcept;
  /// The facts as one JSON object, made in accumulator_facts.cpp. For a
  /// snapshot the caller sets them.
  [[nodiscard]] std::string_view facts_json() const noexcept { return facts_; }

  /// A view for the end() call of a reporter; valid as long as this report.
  [[nodiscard]] ifb_summary summary(std::int64_t finished_unix_ns, bool interrupted) const noexcept;

  /// A warning if requests succeeded, but neither server nor dataset reported the length of a
  /// prompt. Otherwise empty.
  [[nodiscard]] std::string unknown_input_warning() const;

  /// A warning if upstream's TTFT differs by 5 % or more from the time of the first text, in the
  /// mean or in the median. Otherwise empty.
  [[nodiscard]] std::string first_text_warning() const;

  void add(const definition& row, double value);
  void add(metric id, double value) { add(define(id), value); }
  /// Adds a mean without percentiles, for live views.
  void add_mean(metric id, double mean, std::uint64_t count);
  /// `percentiles` (0..100) has one element for each element of `values.quantiles`.
  void add(const definition& row, const statistics& values, std::span<const double> percentiles,
           bool selected);
  void add(metric id, const statistics& values, std::span<const double> percentiles,
           bool selected) {
    add(define(id), values, percentiles, selected);
  }
  void set_facts(std::string json) { facts_ = std::move(json); }

  /// The goals of the user (--threshold), in the user's order.
  [[nodiscard]] std::span<const goal_result> goals() const noexcept { return goals_; }
  void set_goals(std::vector<goal_result> goals) { goals_ = std::move(goals); }

 private:
  ifb_metric& append(const definition& row);

  std::vector<ifb_metric> metrics_;
  std::vector<std::vector<ifb_quantile>> quantiles_;  // the elements of metrics_ point to these
  std::string facts_;
  std::vector<goal_result> goals_;
};

}  // namespace inferbench::metrics
