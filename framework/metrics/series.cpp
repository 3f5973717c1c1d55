#include "metrics/series.hpp"

#include <algorithm>
#include <cmath>

#include "metrics/quantiles.hpp"

namespace inferbench::metrics {
namespace {

constexpr double parts_of_ns = 1024;
// Near the largest value of a histogram: 100 days in units of 1/1024 ns.
constexpr double most = 9e18;

}  // namespace

statistics exact_gaps::describe(std::span<const double> percentiles) const {
  statistics out;
  out.count = static_cast<std::size_t>(counts_.count());
  out.quantiles.assign(percentiles.size(), 0.0);
  if (out.count == 0) return out;
  const auto n = static_cast<double>(out.count);
  out.mean = sum_.value() / n;
  exact_sum squares;
  from_->for_each([&](std::uint64_t gap) {
    const double off = ms(0, gap) - out.mean;
    squares.add(off * off);
  });
  out.deviation = std::sqrt(squares.value() / n);
  out.minimum = ms(0, counts_.minimum());
  out.maximum = ms(0, counts_.maximum());

  find_quantiles(out, counts_, percentiles, [&](auto&& visit) { from_->for_each(visit); });
  return out;
}

void bounded_series::add_part(std::uint64_t ns, std::uint64_t parts) {
  const double part = static_cast<double>(ns) / static_cast<double>(parts);
  parts_.add(static_cast<std::uint64_t>(std::llround(std::min(part * parts_of_ns, most))));
}

statistics bounded_series::describe(std::span<const double> percentiles) const {
  const base::histogram& values = parts_.empty() ? whole_ : parts_;
  const double per_ms = parts_.empty() ? 1e6 : parts_of_ns * 1e6;
  statistics out;
  out.count = static_cast<std::size_t>(values.count());
  out.mean = values.mean() / per_ms;
  out.median = values.percentile(50) / per_ms;
  out.deviation = values.deviation() / per_ms;
  out.minimum = static_cast<double>(values.minimum()) / per_ms;
  out.maximum = static_cast<double>(values.maximum()) / per_ms;
  for (const double p : percentiles)
    out.quantiles.push_back(values.percentile(p) / per_ms);
  return out;
}

}  // namespace inferbench::metrics
