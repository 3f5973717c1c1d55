#include "offline/times.hpp"

#include "base/text.hpp"
#include "metrics/statistics.hpp"

namespace inferbench::offline {

time_statistics statistics_of(std::span<const double> values, std::span<const double> percentiles) {
  std::vector<double> copy(values.begin(), values.end());
  const metrics::statistics found = metrics::describe(copy, percentiles);
  time_statistics out{found.mean, found.median, found.deviation, {}};
  for (std::size_t i = 0; i < percentiles.size(); ++i)
    out.percentiles.emplace_back(percentiles[i], found.quantiles[i]);
  return out;
}

options::node list_of(std::span<const double> values) {
  options::node out = options::node::list();
  for (const double value : values)
    out.items.push_back(options::node::of(value));
  return out;
}

options::node percentile_table(const time_statistics& of) {
  options::node out = options::node::table();
  for (const auto& [percentile, value] : of.percentiles)
    out.set(percentile_label(percentile), options::node::of(value));
  return out;
}

std::string percentile_label(double percentile) {
  std::string out = base::shortest(percentile);
  if (out.ends_with(".0")) out.resize(out.size() - 2);
  return out;
}

}  // namespace inferbench::offline
