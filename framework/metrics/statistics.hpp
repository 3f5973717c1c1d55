// The statistics of one set of numbers, by upstream's definitions.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace inferbench::metrics {

/// A sum whose rounding error does not grow with the number of terms (Neumaier),
/// so that a million gaps can be added in any order to 15 digits.
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
  double deviation = 0;  // of the population: divided by count
  double minimum = 0;
  double maximum = 0;
  std::vector<double> quantiles;  // one for each percentile asked for, in that order
};

/// The position of the percentile p among `count` ascending values, at least one.
struct position {
  std::uint64_t below;  // the rank at it or next below it
  double fraction;      // of the way to the next rank
};
[[nodiscard]] position place_of(double percentile, std::uint64_t count) noexcept;

/// The percentile p (0..100; beyond, the nearer end) is interpolated between closest
/// ranks: with h = (n-1) p/100 it is x[floor h] + (h - floor h)(x[floor h + 1] - x[floor h])
/// of the ascending values. An empty set yields 0 throughout. Reorders `values`.
[[nodiscard]] statistics describe(std::vector<double>& values, std::span<const double> percentiles);

}  // namespace inferbench::metrics
