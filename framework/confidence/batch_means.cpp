#include "confidence/batch_means.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "confidence/binomial.hpp"

namespace inferbench::confidence {
namespace {

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// The sum of (a - mean) (b - mean) over all pairs of values with the distance `lag`.
double products(std::span<const double> values, double mean, std::size_t lag) {
  double out = 0;
  for (std::size_t i = lag; i < values.size(); ++i)
    out += (values[i] - mean) * (values[i - lag] - mean);
  return out;
}

}  // namespace

std::optional<mean_estimate> estimate_mean(std::span<const double> values) {
  if (values.size() < least_for_mean) return std::nullopt;
  const auto n = static_cast<double>(values.size());
  mean_estimate out;
  out.mean = mean_of(values);
  const double variance = products(values, out.mean, 0) / (n - 1);
  for (const std::size_t k : {std::size_t{32}, std::size_t{16}}) {
    // A rest that does not fill the batches is left out at the beginning, where a run warms up.
    const std::size_t size = values.size() / k;
    const std::span<const double> whole = values.last(size * k);
    std::vector<double> means;
    for (std::size_t i = 0; i < k; ++i)
      means.push_back(mean_of(whole.subspan(i * size, size)));
    const double centre = mean_of(means);
    const double squares = products(means, centre, 0);
    const auto batches = static_cast<double>(k);
    constexpr double one_sided = 1.645;  // 5 % of independent series are above it
    if (squares > 0 && products(means, centre, 1) / squares > one_sided / std::sqrt(batches))
      continue;
    const double of_batches = squares / (batches - 1) / batches;
    const double independent = variance / n;
    out.half_width = student(level, batches - 1) * std::sqrt(std::max(of_batches, independent));
    out.effective_count = of_batches > independent ? std::max(1.0, variance / of_batches) : n;
    return out;
  }
  return std::nullopt;
}

}  // namespace inferbench::confidence
