// From sets of values to the figures of a report, in the order of the table.
#pragma once

#include <cstdint>
#include <optional>

#include "metrics/collection.hpp"
#include "metrics/context.hpp"
#include "metrics/facts.hpp"
#include "metrics/report.hpp"
#include "metrics/statistics.hpp"

namespace inferbench::metrics {

[[nodiscard]] inline double number(std::uint64_t value) noexcept {
  return static_cast<double>(value);
}

/// 0 where no time has passed.
[[nodiscard]] inline double rate(double amount, double duration_s) noexcept {
  return duration_s > 0 ? amount / duration_s : 0.0;
}

/// Sums over the successes.
struct totals {
  std::uint64_t input = 0, output = 0, inputs = 0;
  exact_sum audio_s;
};

/// `most`: the exact peak of concurrency; without it the figure is left out. Releases
/// the sets. For exact_figures and bounded_figures.
template <typename kind>
void add_figures(report& out, const context& run, const ledger& accounts, const totals& sums,
                 const std::optional<peak>& most, collection<kind>& all);

}  // namespace inferbench::metrics
