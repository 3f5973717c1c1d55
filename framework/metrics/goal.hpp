// A goal: a limit for one statistic of one figure, written as one text. The flag --threshold, and
// everything that decides by figures, reads goals with this grammar (docs/goals.md):
//
//   ttft.p99<200ms   e2el.mean<2s   output_throughput>=500   failed<=1%   p99_ttft_ms<=200
//
// Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "metrics/table.hpp"

namespace inferbench::metrics {

enum class relation : std::uint8_t { below, at_most, above, at_least };

/// "<", "<=", ">" or ">=".
[[nodiscard]] std::string_view text_of(relation r) noexcept;
[[nodiscard]] bool holds(double value, relation r, double limit) noexcept;
/// Whether the relation limits the value from above: < and <=.
[[nodiscard]] constexpr bool is_upper(relation r) noexcept {
  return r == relation::below || r == relation::at_most;
}

struct goal {
  enum class statistic : std::uint8_t {
    value,      // of a figure that is a single number
    share,      // of the requests that were sent, in percent: "failed<=1%", "request_goodput>=95%"
    mean,       // this one and the following: of a summary
    deviation,  // "std"
    minimum,    // "min"
    maximum,    // "max"
    percentile  // "p99"; "median" is p50
  };

  const definition* figure = nullptr;
  statistic of = statistic::value;
  double percentile = 0;  // 0..100, only for statistic::percentile
  relation rel = relation::below;
  double limit = 0;  // in unit()

  /// The unit of the limit: the unit of the figure, or "%" for a share.
  [[nodiscard]] std::string_view unit() const noexcept;
  /// "p99.9", "mean", "std", "min", "max", "share"; "value" for a single number.
  [[nodiscard]] std::string statistic_text() const;
  /// The goal in the form that parse_goal() reads, always the same for the same goal:
  /// "ttft.p99<200ms".
  [[nodiscard]] std::string text() const;
};

/// Reads a goal. `figures` must outlive the result. Throws base::error with the text, the place at
/// which it goes wrong, and the remedy.
[[nodiscard]] goal parse_goal(std::string_view text, definitions figures = table());

}  // namespace inferbench::metrics
