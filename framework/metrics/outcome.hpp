// The sums and counts of a run. From these, table.cpp computes each figure that is a single number
// for the whole run.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "client/record.hpp"
#include "metrics/ledger.hpp"
#include "metrics/peaks.hpp"
#include "metrics/statistics.hpp"

namespace inferbench::metrics {

[[nodiscard]] inline double number(std::uint64_t value) noexcept {
  return static_cast<double>(value);
}

/// `amount` for each second; 0 if the duration is 0.
[[nodiscard]] inline double rate(double amount, double duration_s) noexcept {
  return duration_s > 0 ? amount / duration_s : 0.0;
}

/// Sums over the successful requests.
struct totals {
  std::uint64_t input = 0, output = 0, inputs = 0;
  std::uint64_t cached = 0, reasoning = 0;
  std::uint64_t said_cached = 0, said_reasoning = 0;  // number of answers that reported cached or
                                                      // reasoning tokens
  std::uint64_t events = 0;                           // stream events
  std::array<std::uint64_t, 4> text_events{};         // stream events with text; same index as in
                                                      // client::record::text_events
  exact_sum audio_s;

  /// Adds the record of a successful request, after resolve().
  void add(const client::record& record);
};

struct outcome {
  double duration_s = 0;
  const ledger& accounts;
  const totals& sums;
  std::uint64_t good = 0;  // successful requests that met every limit of --goodput
  // The largest number in one second. Seconds are counted from the first start.
  double events_in_second = 0, tokens_in_second = 0;
  std::uint64_t requests_in_second = 0;
  std::optional<peak> most = {};  // the most requests at one instant; empty if figures are bounded

  /// The amount divided by the duration.
  [[nodiscard]] double per_s(double amount) const noexcept { return rate(amount, duration_s); }
  [[nodiscard]] double per_s(std::uint64_t amount) const noexcept { return per_s(number(amount)); }
};

}  // namespace inferbench::metrics
