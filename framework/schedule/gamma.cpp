#include "schedule/gamma.hpp"

#include <cmath>

namespace inferbench::schedule {

// np.random.seed takes 32 bits; config refuses larger seeds.
gamma_source::gamma_source(std::uint64_t seed) : generator_(static_cast<std::uint32_t>(seed)) {}

double gamma_source::standard_gamma(double shape) {
  if (shape == 1.0) return exponential();
  if (shape < 1.0) {
    for (;;) {
      const double u = uniform();
      const double v = exponential();
      if (u <= 1.0 - shape) {
        const double x = std::pow(u, 1.0 / shape);
        if (x <= v) return x;
      } else {
        const double y = -std::log((1.0 - u) / shape);
        const double x = std::pow(1.0 - shape + shape * y, 1.0 / shape);
        if (x <= v + y) return x;
      }
    }
  }
  const double b = shape - 1.0 / 3.0;
  const double c = 1.0 / std::sqrt(9 * b);
  for (;;) {
    double x = 0;
    double v = 0;
    do {
      x = normal();
      v = 1.0 + c * x;
    } while (v <= 0.0);
    v = v * v * v;
    const double u = uniform();
    if (u < 1.0 - 0.0331 * (x * x) * (x * x)) return b * v;
    if (std::log(u) < 0.5 * x * x + b * (1.0 - v + std::log(v))) return b * v;
  }
}

double gamma_source::uniform() { return generator_.real(); }

double gamma_source::exponential() { return -std::log(1.0 - generator_.real()); }

double gamma_source::normal() {
  if (has_kept_) {
    has_kept_ = false;
    return kept_;
  }
  double x = 0;
  double y = 0;
  double r = 0;
  do {
    x = 2.0 * uniform() - 1.0;
    y = 2.0 * uniform() - 1.0;
    r = x * x + y * y;
  } while (r >= 1.0 || r == 0.0);
  const double f = std::sqrt(-2.0 * std::log(r) / r);
  kept_ = f * x;
  has_kept_ = true;
  return f * y;
}

}  // namespace inferbench::schedule
