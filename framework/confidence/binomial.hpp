// What a sample proves about a share of all values: exact bounds by the binomial distribution.
// Pure functions.
//
// A percentile p is a statement about a share: at most 1 - p/100 of all values are over it. With n
// independent values, of which t are over a limit, the limit is an upper bound of the true
// percentile at the confidence c if P(Bin(n, 1 - p/100) <= t) < 1 - c. The largest such t gives the
// bound with the (t+1)-th highest value, an order statistic, because P(X(k) < q_p) <=
// P(Bin(n, 1-p) <= n - k). MLCommons' LoadGen (early_stopping.cc) uses the same sum and the t-th
// highest value, so it needs 662 values for a p99 where 459 are enough.
//
// n and t are real numbers here, because a dependent sample counts as fewer values
// (dependence.hpp). The sum is continued to real numbers by the regularised incomplete beta
// function: I_{1-a}(n - t, t + 1).
#pragma once

#include <cstdint>
#include <optional>

namespace inferbench::confidence {

/// The confidence of every bound and of every "certain" of this program.
inline constexpr double level = 0.99;

/// P(Bin(n, share) <= over). `share` is limited to 0..1.
[[nodiscard]] double chance_of_at_most(double n, double over, double share) noexcept;

/// The largest whole number t with P(Bin(n, share) <= t) < 1 - level. nullopt if not even t = 0 has
/// this property, that is, if the sample is too small.
[[nodiscard]] std::optional<double> most_over(double n, double share) noexcept;

/// The smallest whole n with P(Bin(n, share) <= over) < 1 - level: the independent values that are
/// needed if `over` of them are over the limit. nullopt for a share of 0, which no sample proves.
[[nodiscard]] std::optional<double> needed(double over, double share) noexcept;

/// The counts of one limit in a sample.
struct exceedance {
  double count = 0;             // all values
  double over = 0;              // the values on the wrong side of the limit
  double correlation_time = 1;  // of the series of over and under (dependence.hpp), at least 1
  double share = 0;             // of all values, the largest that may be on the wrong side

  /// The number of independent values that say as much as the sample.
  [[nodiscard]] double effective() const noexcept { return count / correlation_time; }
  /// Whether the sample proves that less than `share` is over. Both counts are divided by the
  /// correlation time, and `over` is rounded up.
  [[nodiscard]] bool proves_less() const noexcept;
  /// Whether the sample proves that more than `share` is over. `over` is rounded down.
  [[nodiscard]] bool proves_more() const noexcept;
};

/// The interval that contains the share of all values with the confidence `level`, if `over` of n
/// independent values have the property (Clopper and Pearson, Biometrika 1934). n must be positive.
struct share_interval {
  double low = 0;
  double high = 1;
};
[[nodiscard]] share_interval interval_of_share(double n, double over) noexcept;

/// The quantile of Student's t distribution, for a probability between 0 and 1 and at least one
/// degree of freedom.
[[nodiscard]] double student(double probability, double degrees) noexcept;

}  // namespace inferbench::confidence
