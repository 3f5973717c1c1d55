#include "statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <numeric>
#include <utility>

namespace conversations {

namespace {

struct percentile {
  const char* name;
  double share;
  std::size_t least;  // minimum size of the sample
};
constexpr std::array<percentile, 7> percentiles{{{"25%", 0.25, 1},
                                                 {"50%", 0.5, 1},
                                                 {"75%", 0.75, 1},
                                                 {"90%", 0.9, 1},
                                                 {"99%", 0.99, 100},
                                                 {"99.9%", 0.999, 1000},
                                                 {"99.99%", 0.9999, 10000}}};

double at_share(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (place - std::floor(place));
}

}  // namespace

std::string statistics_line(std::string_view what, std::vector<double> numbers) {
  std::ranges::sort(numbers);
  const auto count = static_cast<double>(numbers.size());
  const double mean = std::accumulate(numbers.begin(), numbers.end(), 0.0) / count;
  double squares = 0;
  for (const double each : numbers)
    squares += (each - mean) * (each - mean);
  std::string out(what);
  out += ": count " + std::to_string(numbers.size());
  const auto add = [&](const char* name, double value) {
    std::array<char, 64> text{};
    (void)std::snprintf(text.data(), text.size(), ", %s %.2f", name, value);
    out += text.data();
  };
  add("mean", mean);
  if (numbers.size() > 1) add("std", std::sqrt(squares / (count - 1)));
  add("min", numbers.front());
  for (const percentile& each : percentiles)
    if (numbers.size() >= each.least) add(each.name, at_share(numbers, each.share));
  add("max", numbers.back());
  return out;
}

}  // namespace conversations
