#include "schedule/pacer.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"
#include "base/text.hpp"
#include "schedule/gamma.hpp"

namespace inferbench::schedule {

namespace {

constexpr std::size_t most_changes = 100'000;

// Beyond doubles, or beyond 64 bits of nanoseconds: 292 years.
constexpr double longest_s = 9e9;

base::error no_schedule(const pace& pace, std::uint64_t count) {
  const std::string requests = std::to_string(count) + " requests";
  const std::string burstiness = " and the burstiness " + base::shortest(pace.burstiness);
  if (pace.growth)
    return base::error("no schedule of " + requests + " can be made of rates from " +
                           base::shortest(pace.growth->start) + burstiness,
                       "give larger ones with --ramp-up-start-rps and --burstiness");
  return base::error("no schedule of " + requests + " can be made of the rate " +
                         base::shortest(pace.request_rate) + burstiness,
                     "give larger ones with --request-rate and --burstiness");
}

}  // namespace

double rate_at(const ramp& growth, std::uint64_t i, std::uint64_t count) noexcept {
  const double p = static_cast<double>(i) / static_cast<double>(count > 1 ? count - 1 : 1);
  if (growth.exponential) return growth.start * std::pow(growth.end / growth.start, p);
  return growth.start + (growth.end - growth.start) * p;
}

std::vector<std::uint64_t> due_times(const pace& pace, std::uint64_t count) {
  std::vector<std::uint64_t> due(count, 0);
  if (count == 0 || (!pace.growth && std::isinf(pace.request_rate))) return due;

  // Seconds in doubles, as upstream sums them; nanoseconds only at the end.
  const bool constant = std::isinf(pace.burstiness);
  gamma_source source(pace.seed);
  std::vector<double> at(count);
  double sum = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const double rate = pace.growth ? rate_at(*pace.growth, i, count) : pace.request_rate;
    sum += constant ? 1.0 / rate
                    : source.standard_gamma(pace.burstiness) * (1.0 / (rate * pace.burstiness));
    at[i] = sum;
  }
  const double last = pace.growth ? sum : static_cast<double>(count) / pace.request_rate;
  if (!std::isfinite(sum) || last > longest_s) throw no_schedule(pace, count);
  const double stretch = sum == 0 ? 1.0 : last / sum;
  for (std::uint64_t i = 0; i < count; ++i)
    due[i] = static_cast<std::uint64_t>(std::llround(at[i] * stretch * 1e9));
  return due;
}

std::vector<rate_change> rate_changes(const ramp& growth, std::span<const std::uint64_t> due) {
  const auto whole = [](double rate) { return static_cast<std::uint64_t>(std::min(rate, 1e15)); };
  std::uint64_t reached = whole(growth.start);
  std::vector<rate_change> out{{reached, 0}};
  for (std::uint64_t i = 0; i < due.size(); ++i) {
    const std::uint64_t now = whole(rate_at(growth, i, due.size()));
    while (reached < now && out.size() < most_changes)
      out.push_back({++reached, due[i]});
  }
  return out;
}

}  // namespace inferbench::schedule
