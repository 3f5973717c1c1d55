#include "schedule/pacer.hpp"

#include <cmath>
#include <string>

#include "base/error.hpp"
#include "base/text.hpp"
#include "schedule/gamma.hpp"

namespace inferbench::schedule {

std::vector<std::uint64_t> due_times(const pace& pace, std::uint64_t count) {
  std::vector<std::uint64_t> due(count, 0);
  if (count == 0 || std::isinf(pace.request_rate)) return due;

  // Seconds in doubles, as upstream sums them; nanoseconds only at the end.
  const double rate = pace.request_rate;
  const bool constant = std::isinf(pace.burstiness);
  const double scale = 1.0 / (rate * pace.burstiness);
  gamma_source source(pace.seed);
  std::vector<double> at(count);
  double sum = 0;
  for (double& t : at) {
    sum += constant ? 1.0 / rate : source.standard_gamma(pace.burstiness) * scale;
    t = sum;
  }
  // Beyond doubles, or beyond 64 bits of nanoseconds: 292 years.
  if (!std::isfinite(sum) || static_cast<double>(count) / rate > 9e9)
    throw base::error("no schedule of " + std::to_string(count) +
                          " requests can be made of the rate " + base::shortest(rate) +
                          " and the burstiness " + base::shortest(pace.burstiness),
                      "give larger ones with --request-rate and --burstiness");
  const double stretch = sum == 0 ? 1.0 : static_cast<double>(count) / rate / sum;
  for (std::uint64_t i = 0; i < count; ++i)
    due[i] = static_cast<std::uint64_t>(std::llround(at[i] * stretch * 1e9));
  return due;
}

}  // namespace inferbench::schedule
