#include "description.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>

#include <inferbench/json_writer.hpp>

namespace structured_output {

namespace {

// numpy's interpolation: from the nearer neighbour.
double percentile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const double part = place - std::floor(place);
  const double low = sorted[below];
  const double high = sorted[std::min(below + 1, sorted.size() - 1)];
  return part < 0.5 ? low + (high - low) * part : high - (high - low) * (1 - part);
}

}  // namespace

description describe(std::vector<double> values) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  description out;
  if (values.empty()) {
    out.mean = out.deviation = out.minimum = out.quarter = out.median = out.three_quarters =
        out.maximum = unknown;
    return out;
  }
  std::ranges::sort(values);
  const auto n = static_cast<double>(values.size());
  out.count = n;
  out.mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  const double squares = std::accumulate(
      values.begin(), values.end(), 0.0,
      [&](double sum, double value) { return sum + (value - out.mean) * (value - out.mean); });
  out.deviation = values.size() < 2 ? unknown : std::sqrt(squares / (n - 1));
  out.minimum = values.front();
  out.quarter = percentile(values, 0.25);
  out.median = percentile(values, 0.5);
  out.three_quarters = percentile(values, 0.75);
  out.maximum = values.back();
  return out;
}

void append_description(std::string& out, const description& of) {
  const std::array<std::pair<const char*, double>, 8> members{{{"count", of.count},
                                                               {"mean", of.mean},
                                                               {"std", of.deviation},
                                                               {"min", of.minimum},
                                                               {"25%", of.quarter},
                                                               {"50%", of.median},
                                                               {"75%", of.three_quarters},
                                                               {"max", of.maximum}}};
  const char* separator = "{\n        \"";
  for (const auto& [name, value] : members) {
    out.append(std::exchange(separator, ",\n        \"")).append(name).append("\": ");
    if (std::isnan(value))
      out += "NaN";
    else
      ifb::append_python_float(out, value);
  }
  out += "\n    }";
}

}  // namespace structured_output
