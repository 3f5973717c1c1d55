#include "metrics/gap_series.hpp"

#include <algorithm>
#include <cstddef>

#include "confidence/dependence.hpp"
#include "metrics/tape.hpp"

namespace inferbench::metrics {
namespace {

/// The correlation time of one limit: answer r has gaps[r] gaps, over[r] of them over the limit;
/// `n` is the sum of `gaps`, `sum` the sum of `over`.
double correlation_time_of(const std::vector<std::uint32_t>& gaps,
                           const std::vector<std::uint32_t>& over, double n, double sum) {
  const double p = sum / n;
  if (!(p > 0 && p < 1)) return 1;
  std::vector<double> off(gaps.size());
  double squares = 0;
  for (std::size_t r = 0; r < gaps.size(); ++r) {
    off[r] = over[r] - p * gaps[r];
    squares += off[r] * off[r];
  }
  const double cluster = squares / (n * p * (1 - p));
  return std::clamp(cluster * confidence::correlation_time(off), 1.0, n);
}

}  // namespace

void count_gaps(const kept_requests& kept, std::vector<gap_limit>& limits) {
  std::vector<std::uint32_t> gaps;
  gaps.reserve(kept.rows.size());
  std::vector<std::vector<std::uint32_t>> over(limits.size());
  for (auto& each : over)
    each.reserve(kept.rows.size());
  tape::reader from(kept.gaps);
  std::vector<std::uint32_t> counts(limits.size());
  kept.rows.for_each([&](const request_times& r) {
    if (r.events < 2) return;
    std::ranges::fill(counts, 0U);
    // A run has up to a hundred million gaps, and mostly one limit.
    if (limits.size() == 1) {
      const std::uint64_t limit = limits[0].from_ns;
      std::uint32_t count = 0;
      for (std::uint32_t i = 1; i < r.events; ++i)
        count += from.next() >= limit ? 1U : 0U;
      counts[0] = count;
    } else {
      for (std::uint32_t i = 1; i < r.events; ++i) {
        const std::uint64_t gap = from.next();
        for (std::size_t k = 0; k < limits.size(); ++k)
          counts[k] += gap >= limits[k].from_ns ? 1U : 0U;
      }
    }
    gaps.push_back(r.events - 1);
    for (std::size_t k = 0; k < limits.size(); ++k)
      over[k].push_back(counts[k]);
  });
  const auto n = static_cast<double>(kept.gaps.size());
  for (std::size_t k = 0; k < limits.size(); ++k) {
    limits[k].over = 0;
    for (const std::uint32_t one : over[k])
      limits[k].over += one;
    limits[k].correlation_time = correlation_time_of(gaps, over[k], n, limits[k].over);
  }
}

}  // namespace inferbench::metrics
