// The statistics of one set of numbers, by upstream's definitions.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace inferbench::metrics {

/// A sum whose rounding error does not grow with the number of terms (Neumaier's algorithm). So the
/// sum of a million gaps is exact to 15 digits, in any order.
class exact_sum {
 public:
  void add(double term) noexcept {
    const double total = sum_ + term;
    lost_ += std::abs(sum_) >= std::abs(term) ? (sum_ - total) + term : (term - total) + sum_;
    sum_ = total;
  }
  [[nodiscard]] double value() const noexcept { return sum_ + lost_; }

 private:
  double sum_ = 0;
  double lost_ = 0;
};

struct statistics {
  std::size_t count = 0;
  double mean = 0;
  double median = 0;
  double deviation = 0;  // standard deviation of the population: divided by count
  double minimum = 0;
  double maximum = 0;
  std::vector<double> quantiles;  // one for each percentile asked for, in the order of the request
};

/// The position of a percentile among `count` ascending values. `count` is at least 1.
struct position {
  std::uint64_t below;  // the rank at the position or the next rank below it
  double fraction;      // fraction of the way to the next rank, 0..1
};
[[nodiscard]] position place_of(double percentile, std::uint64_t count) noexcept;

/// The percentile p is interpolated between the closest ranks of the ascending values x: with h =
/// (n-1) p/100 it is x[floor h] + (h - floor h)(x[floor h + 1] - x[floor h]). A p outside 0..100
/// counts as 0 or 100. All statistics of an empty set are 0. Changes the order of `values`.
[[nodiscard]] statistics describe(std::vector<double>& values, std::span<const double> percentiles);

}  // namespace inferbench::metrics
