#include "histogram.hpp"

#include <algorithm>
#include <cmath>

namespace reporters {
namespace {

/// Returns the distance of the marks of an axis: 1, 2, 2.5 or 5 times a power of ten.
double mark_distance(double range) {
  const double rough = range / 5;
  if (rough <= 1) return 1;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 2.5, 5.0})
    if (factor * power >= rough && (factor * power == std::floor(factor * power)))
      return factor * power;
  return 10 * power;
}

}  // namespace

histogram histogram_of(const std::vector<std::int64_t>& values, std::size_t bars) {
  const auto [least, most] = std::ranges::minmax_element(values);
  histogram out;
  out.low = static_cast<double>(*least);
  double range = static_cast<double>(*most) - out.low;
  if (range <= 0) {
    out.low -= 0.5;
    range = 1;
  }
  out.width = range / static_cast<double>(bars);
  out.counts.assign(bars, 0);
  for (const std::int64_t value : values) {
    const double place = (static_cast<double>(value) - out.low) / out.width;
    ++out.counts[std::min(static_cast<std::size_t>(std::max(place, 0.0)), bars - 1)];
  }
  return out;
}

std::vector<double> marks(double low, double high) {
  const double step = mark_distance(high - low);
  const double first = std::ceil(low / step);
  const auto count = static_cast<std::size_t>(std::max(std::floor(high / step) - first + 1, 0.0));
  std::vector<double> out;
  for (std::size_t i = 0; i < count; ++i)
    out.push_back((first + static_cast<double>(i)) * step);
  return out;
}

}  // namespace reporters
