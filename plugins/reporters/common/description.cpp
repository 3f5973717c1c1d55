#include "description.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

namespace reporters {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

// numpy's interpolation: from the nearer neighbour.
double percentile(const std::vector<double>& sorted, double share) {
  if (sorted.empty()) return unknown;
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const double part = place - std::floor(place);
  const double low = sorted[below];
  const double high = sorted[std::min(below + 1, sorted.size() - 1)];
  return part < 0.5 ? low + (high - low) * part : high - (high - low) * (1 - part);
}

}  // namespace

description describe(std::vector<double> values, std::span<const double> shares) {
  std::erase_if(values, [](double each) { return std::isnan(each); });
  std::ranges::sort(values);
  const auto n = static_cast<double>(values.size());
  description out;
  out.count = n;
  out.mean = values.empty() ? unknown : std::accumulate(values.begin(), values.end(), 0.0) / n;
  const double squares = std::accumulate(
      values.begin(), values.end(), 0.0,
      [&](double sum, double value) { return sum + (value - out.mean) * (value - out.mean); });
  out.deviation = values.size() < 2 ? unknown : std::sqrt(squares / (n - 1));
  out.minimum = values.empty() ? unknown : values.front();
  for (const double share : shares)
    out.percentiles.push_back(percentile(values, share));
  out.maximum = values.empty() ? unknown : values.back();
  return out;
}

}  // namespace reporters
