// The sums and counts of a run, from which table.cpp computes the figures that are one number for
// the whole run.
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

/// 0 if no time has passed.
[[nodiscard]] inline double rate(double amount, double duration_s) noexcept {
  return duration_s > 0 ? amount / duration_s : 0.0;
}

/// Sums over the successes.
struct totals {
  std::uint64_t input = 0, output = 0, inputs = 0;
  std::uint64_t cached = 0, reasoning = 0;
  std::uint64_t said_cached = 0, said_reasoning = 0;  // answers that reported them
  std::uint64_t events = 0;                           // of the streams
  std::array<std::uint64_t, 4> text_events{};         // with text, as client::record's
  exact_sum audio_s;

  /// A resolved success.
  void add(const client::record& record);
  void merge(const totals& other);
};

struct outcome {
  double duration_s = 0;
  const ledger& accounts;
  const totals& sums;
  std::uint64_t good = 0;  // successes that met every limit of --goodput
  // The most in one second, seconds counted from the first start.
  double events_in_second = 0, tokens_in_second = 0;
  std::uint64_t requests_in_second = 0;
  std::optional<peak> most = {};  // requests at one instant; none of bounded figures

  /// The amount divided by the duration.
  [[nodiscard]] double per_s(double amount) const noexcept { return rate(amount, duration_s); }
  [[nodiscard]] double per_s(std::uint64_t amount) const noexcept { return per_s(number(amount)); }
};

}  // namespace inferbench::metrics
