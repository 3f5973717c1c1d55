// The distribution of a number of turns or tokens: a leaf of the generator's config.
//
//   {"distribution": "constant", "value": 500}
//   {"distribution": "uniform", "min": 12, "max": 18}         integers from min to max, or floats
//   {"distribution": "lognormal", "average": 1000, "median_ratio": 0.85, "max": 5000}
//   {"distribution": "lognormal", "mean": 6, "sigma": 0.5}    mean and sigma of the logarithm
//   {"distribution": "zipf", "alpha": 1.2, "max": 100}
//   {"distribution": "poisson", "alpha": 10, "max": 100}
//
// The distributions and their checks are the same as in vLLM's benchmark_serving_multi_turn. The
// drawn numbers differ, because upstream draws them from NumPy's global generator.
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
  /// Returns a distribution that always yields `value`, a whole number.
  [[nodiscard]] static distribution constant(double value);
  /// Reads a distribution from the config. Throws like the functions of `from`.
  [[nodiscard]] static distribution parse(ifb::host host, const field& from);

  /// Returns `count` whole numbers from 0 to longest_text. If a lognormal distribution has an
  /// average, all numbers are scaled together to this average.
  [[nodiscard]] std::vector<std::uint32_t> draw(ifb::numpy_pcg64& random, std::size_t count) const;

 private:
  enum class kind : std::uint8_t { constant, uniform, uniform_real, lognormal, zipf, poisson };

  void read_lognormal(const field& from);
  [[nodiscard]] double one(ifb::numpy_pcg64& random) const;

  kind kind_ = kind::constant;
  double first_ = 0;    // value, min, mean of the logarithm, or alpha
  double second_ = 0;   // max of a uniform distribution, or sigma
  double average_ = 0;  // the average to which a lognormal is scaled; 0: not scaled
  double most_ = 0;
};

}  // namespace conversations
