// The distribution of a number of turns or tokens: an object in the generator's config.
//
//   {"distribution": "constant", "value": 500}
//   {"distribution": "uniform", "min": 12, "max": 18}         integers from min to max, or floats
//   {"distribution": "lognormal", "average": 1000, "median_ratio": 0.85, "max": 5000}
//   {"distribution": "lognormal", "mean": 6, "sigma": 0.5}    mean and sigma of the logarithm
//   {"distribution": "zipf", "alpha": 1.2, "max": 100}
//   {"distribution": "poisson", "alpha": 10, "max": 100}
//
// The `max` of the last four may be missing; numbers above it are replaced by it. The distributions
// and their checks are the same as in vLLM's benchmark_serving_multi_turn, except for upper limits.
// The drawn numbers differ, because upstream draws them from NumPy's global generator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <inferbench/host.hpp>
#include <inferbench/random.hpp>

#include "field.hpp"

namespace conversations {

/// An immutable value. Any thread may use it; each thread needs its own random generator.
class distribution {
 public:
  /// Returns a distribution that always yields `value`, a whole number from 0 to longest_text.
  [[nodiscard]] static distribution constant(double value);
  /// Reads a distribution from the config. Warns of unknown members. Throws ifb::failure
  /// (IFB_E_CONFIG, option "path") with the path of a member that is missing or has a wrong value.
  [[nodiscard]] static distribution parse(ifb::host host, const field& from);

  /// Returns `count` whole numbers from 0 to longest_text. If a lognormal distribution has an
  /// average, all numbers are first scaled by one factor, so that their mean is this average; `max`
  /// applies afterwards. Numbers of a lognormal distribution are rounded; all others are truncated.
  [[nodiscard]] std::vector<std::uint32_t> draw(ifb::numpy_pcg64& random, std::size_t count) const;

 private:
  enum class kind : std::uint8_t { constant, uniform, uniform_real, lognormal, zipf, poisson };

  void read_lognormal(const field& from);
  [[nodiscard]] double one(ifb::numpy_pcg64& random) const;

  kind kind_ = kind::constant;
  double first_ = 0;    // value, min of a uniform distribution, mean of the logarithm, or alpha
  double second_ = 0;   // max of a uniform distribution, or sigma
  double average_ = 0;  // the average to which a lognormal is scaled; 0: not scaled
  double most_ = 0;     // larger numbers are replaced by this number
};

}  // namespace conversations
