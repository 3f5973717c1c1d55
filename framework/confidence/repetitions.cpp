#include "confidence/repetitions.hpp"

#include <cmath>

#include "confidence/binomial.hpp"

namespace inferbench::confidence {

repeated_mean mean_of_repetitions(std::span<const double> values, double confidence) {
  repeated_mean out;
  out.count = values.size();
  const auto n = static_cast<double>(values.size());
  // Divided before the sum, so that values near the largest double do not overflow.
  for (const double value : values)
    out.mean += value / n;
  if (values.size() < 2 || !std::isfinite(out.mean)) return out;
  double squares = 0;
  for (const double value : values)
    squares += (value - out.mean) * (value - out.mean);
  const double deviation = std::sqrt(squares / (n - 1));
  if (!std::isfinite(deviation)) return out;
  out.half_width = student((1 + confidence) / 2, n - 1) * deviation / std::sqrt(n);
  return out;
}

}  // namespace inferbench::confidence
