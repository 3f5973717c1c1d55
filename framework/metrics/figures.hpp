// From sets of values to the figures of a report, in the order of the table.
#pragma once

#include <array>
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
  std::uint64_t cached = 0, reasoning = 0;
  std::uint64_t said_cached = 0, said_reasoning = 0;  // how many answers named them
  std::uint64_t events = 0;                           // of the streams
  std::array<std::uint64_t, 4> text_events{};         // with text, as client::record's

  void merge(const totals& other);
  exact_sum audio_s;
};

/// `most`: the exact peak of concurrency; without it the figure is left out. Releases
/// the sets. For exact_figures and bounded_figures.
template <typename kind>
void add_figures(report& out, const context& run, const ledger& accounts, const totals& sums,
                 const std::optional<peak>& most, collection<kind>& all);

}  // namespace inferbench::metrics
