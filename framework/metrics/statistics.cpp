#include "metrics/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace inferbench::metrics {
namespace {

/// The values of ranks. Ranks must be requested in ascending order, except that the lower of two
/// neighbours may be requested again. Uses selection instead of sorting: a long run has 100 million
/// gaps and needs only a few ranks.
class ranks {
 public:
  explicit ranks(std::vector<double>& values) : values_(values) {}

  double at(std::size_t rank) {
    if (rank >= known_) {
      std::nth_element(place(known_), place(rank), values_.end());
      known_ = rank + 1;
    }
    return values_[rank];
  }

 private:
  std::vector<double>::iterator place(std::size_t i) {
    return values_.begin() + static_cast<std::ptrdiff_t>(i);
  }

  std::vector<double>& values_;
  std::size_t known_ = 0;  // no value from this index on is smaller than a value before it
};

}  // namespace

position place_of(double percentile, std::uint64_t count) noexcept {
  const double h = static_cast<double>(count - 1) * (std::clamp(percentile, 0.0, 100.0) / 100.0);
  const double below = std::floor(h);
  return {static_cast<std::uint64_t>(below), h - below};
}

statistics describe(std::vector<double>& values, std::span<const double> percentiles) {
  statistics out;
  out.count = values.size();
  out.quantiles.assign(percentiles.size(), 0.0);
  if (values.empty()) return out;
  const auto n = static_cast<double>(values.size());

  exact_sum sum;
  for (const double value : values)
    sum.add(value);
  out.mean = sum.value() / n;
  exact_sum squares;
  for (const double value : values)
    squares.add((value - out.mean) * (value - out.mean));
  out.deviation = std::sqrt(squares.value() / n);
  const auto [low, high] = std::ranges::minmax_element(values);
  out.minimum = *low;
  out.maximum = *high;

  // The median is one more percentile, at the end of the list.
  std::vector<double> wanted(percentiles.begin(), percentiles.end());
  wanted.push_back(50);
  std::vector<std::size_t> order(wanted.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return wanted[i]; });
  ranks sorted(values);
  for (const std::size_t i : order) {
    const auto [rank, fraction] = place_of(wanted[i], values.size());
    double value = sorted.at(rank);
    if (fraction > 0) value += fraction * (sorted.at(rank + 1) - value);
    (i < percentiles.size() ? out.quantiles[i] : out.median) = value;
  }
  return out;
}

}  // namespace inferbench::metrics
