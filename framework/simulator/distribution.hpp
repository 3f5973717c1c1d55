// The distribution of a delay or a length, in the grammar of the command line:
//   50ms   uniform(40ms,60ms)   lognormal(50ms,0.3)
// lognormal(MEAN,SIGMA) has the arithmetic mean MEAN; SIGMA is the deviation of the
// logarithm. Pure; values, freely copied.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "simulator/random.hpp"

namespace inferbench::simulator {

class distribution {
 public:
  /// Always `value`.
  [[nodiscard]] static distribution constant(double value);
  /// Equally likely between the two; low <= high.
  [[nodiscard]] static distribution uniform(double low, double high);
  /// mean > 0, sigma >= 0.
  [[nodiscard]] static distribution lognormal(double mean, double sigma);

  /// Never negative. A constant consumes no random number, the others do.
  [[nodiscard]] double sample(random_stream& draws) const noexcept;

  [[nodiscard]] double mean() const noexcept;
  /// Every sample is 0.
  [[nodiscard]] bool zero() const noexcept { return shape_ == shape::constant && a_ == 0; }

 private:
  enum class shape : std::uint8_t { constant, uniform, lognormal };
  distribution(shape kind, double a, double b) : shape_(kind), a_(a), b_(b) {}

  shape shape_;
  double a_;  // value, low, mu
  double b_;  // -, high, sigma
};

/// Delays in nanoseconds, written with a unit (ns, us, ms, s) or as seconds: at most
/// a day. Throws base::error with `flag` as its position.
[[nodiscard]] distribution parse_delays(std::string_view text, const std::string& flag);

/// Plain positive numbers, for counts of tokens. Throws likewise.
[[nodiscard]] distribution parse_counts(std::string_view text, const std::string& flag);

}  // namespace inferbench::simulator
