// Draws gamma variates like NumPy's legacy generator (np.random.gamma), so that a seed gives the
// same arrival times as upstream. Methods: -log(1 - U) for shape 1, Ahrens-Dieter GS (1974) below
// 1, and Marsaglia-Tsang (2000) above 1. The last method uses normal variates of the polar method,
// which come in pairs; the second value of a pair is kept for the next call.
#pragma once

#include <cstdint>

#include <inferbench/random.hpp>

namespace inferbench::schedule {

class gamma_source {
 public:
  explicit gamma_source(std::uint64_t seed);

  /// A gamma variate with mean `shape` and variance `shape`; shape > 0.
  [[nodiscard]] double standard_gamma(double shape);
  /// A normal variate with mean 0 and variance 1.
  [[nodiscard]] double normal();

 private:
  [[nodiscard]] double uniform();
  [[nodiscard]] double exponential();

  ifb::numpy_legacy generator_;
  double kept_ = 0;
  bool has_kept_ = false;
};

}  // namespace inferbench::schedule
