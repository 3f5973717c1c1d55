// A number of turns or tokens, as a distribution: a leaf of the generator's config.
//
//   {"distribution": "constant", "value": 500}
//   {"distribution": "uniform", "min": 12, "max": 18}         whole numbers, both included, or real
//   {"distribution": "lognormal", "average": 1000, "median_ratio": 0.85, "max": 5000}
//   {"distribution": "lognormal", "mean": 6, "sigma": 0.5}    of the logarithm
//   {"distribution": "zipf", "alpha": 1.2, "max": 100}
//   {"distribution": "poisson", "alpha": 10, "max": 100}
//
// The distributions and their checks are those of vLLM's benchmark_serving_multi_turn. The draws
// differ: there they come from NumPy's global generator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <inferbench/host.hpp>
#include <inferbench/random.hpp>

#include "field.hpp"

namespace conversations {

/// A value; any thread, each with its generator.
class distribution {
 public:
  /// Always `value`, a whole number.
  [[nodiscard]] static distribution constant(double value);
  /// Throws what `from` throws.
  [[nodiscard]] static distribution parse(ifb::host host, const field& from);

  /// `count` whole numbers from 0 to longest_text. The numbers of a lognormal with an average are
  /// scaled to it together.
  [[nodiscard]] std::vector<std::uint32_t> draw(ifb::numpy_pcg64& random, std::size_t count) const;

 private:
  enum class kind : std::uint8_t { constant, uniform, uniform_real, lognormal, zipf, poisson };

  void read_lognormal(const field& from);
  [[nodiscard]] double one(ifb::numpy_pcg64& random) const;

  kind kind_ = kind::constant;
  double first_ = 0;    // value, min, mean of the logarithm, alpha
  double second_ = 0;   // max of a uniform one, sigma
  double average_ = 0;  // to which a lognormal is scaled; 0: not scaled
  double most_ = 0;
};

}  // namespace conversations
