#include "comparison/holm.hpp"

#include <algorithm>
#include <numeric>

namespace inferbench::comparison {

std::vector<double> holm(std::span<const double> p, std::size_t tests) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return p[i]; });
  std::vector<double> out(p.size());
  double largest = 0;
  std::size_t left = std::max(tests, p.size());
  for (const std::size_t i : order) {
    largest = std::max(largest, std::min(1.0, p[i] * static_cast<double>(left--)));
    out[i] = largest;
  }
  return out;
}

}  // namespace inferbench::comparison
