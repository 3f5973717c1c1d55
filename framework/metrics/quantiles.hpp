// Computes the exact median and percentiles of very many times in ns, without a copy of the times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/histogram.hpp"
#include "metrics/ranks.hpp"
#include "metrics/statistics.hpp"

namespace inferbench::metrics {

/// Fills in the median and the percentiles of `out`, in ms. `counted` is the histogram of all
/// times, and contains at least one time. `each(visit)` calls visit(ns) for every time; it may be
/// called several times.
template <typename source>
void find_quantiles(statistics& out, const base::histogram& counted,
                    std::span<const double> percentiles, source&& each) {
  constexpr double ns_per_ms = 1e6;
  std::vector<position> places;  // one for each percentile; the last is the median
  for (const double p : percentiles)
    places.push_back(place_of(p, counted.count()));
  places.push_back(place_of(50, counted.count()));
  std::vector<std::uint64_t> ranks;  // two ranks for each position
  for (const position& at : places) {
    ranks.push_back(at.below);
    ranks.push_back(at.fraction > 0 ? at.below + 1 : at.below);
  }
  const std::vector<std::uint64_t> found = values_at(counted, ranks, each);
  out.quantiles.resize(percentiles.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    double value = static_cast<double>(found[2 * i]) / ns_per_ms;
    if (places[i].fraction > 0)
      value += places[i].fraction * (static_cast<double>(found[2 * i + 1]) / ns_per_ms - value);
    (i < percentiles.size() ? out.quantiles[i] : out.median) = value;
  }
}

}  // namespace inferbench::metrics
