// The distribution of a delay or a length. On the command line it is written as
//   50ms   uniform(40ms,60ms)   lognormal(50ms,0.3)
// lognormal(MEAN,SIGMA) has the arithmetic mean MEAN; SIGMA is the standard deviation of the
// logarithm. A value type.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "simulator/random.hpp"

namespace inferbench::simulator {

class distribution {
 public:
  /// Every sample is `value`.
  [[nodiscard]] static distribution constant(double value);
  /// A uniform distribution between `low` and `high`; low <= high.
  [[nodiscard]] static distribution uniform(double low, double high);
  /// A lognormal distribution with this mean; mean > 0, sigma >= 0.
  [[nodiscard]] static distribution lognormal(double mean, double sigma);

  /// Draws a sample, which is never negative. A constant does not use a random number; the other
  /// distributions do.
  [[nodiscard]] double sample(random_stream& draws) const noexcept;

  [[nodiscard]] double mean() const noexcept;
  /// True if every sample is 0.
  [[nodiscard]] bool zero() const noexcept { return shape_ == shape::constant && a_ == 0; }

 private:
  enum class shape : std::uint8_t { constant, uniform, lognormal };
  distribution(shape kind, double a, double b) : shape_(kind), a_(a), b_(b) {}

  shape shape_;
  double a_;  // constant: the value; uniform: low; lognormal: mu
  double b_;  // constant: unused; uniform: high; lognormal: sigma
};

/// The distribution of delays that `text` describes, with samples in ns; nullopt if it describes
/// none. The times in the text have a unit (ns, us, ms, s), or are in seconds; at most a day.
[[nodiscard]] std::optional<distribution> distributed_delay(std::string_view text);

/// The same for a single time. Returns ns.
[[nodiscard]] std::optional<double> constant_delay(std::string_view text);

/// Parses a distribution of token counts; `text` has positive numbers without a unit. Throws
/// base::error with `flag` as its position.
[[nodiscard]] distribution parse_counts(std::string_view text, const std::string& flag);

}  // namespace inferbench::simulator
