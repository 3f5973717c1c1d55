#include "comparison/sign_flip.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace inferbench::comparison {

std::optional<double> sign_flip_p(std::span<const double> differences) {
  if (differences.empty() || differences.size() > most_sign_flips) return std::nullopt;
  const double sum = std::accumulate(differences.begin(), differences.end(), 0.0);
  const double size = std::accumulate(differences.begin(), differences.end(), 0.0,
                                      [](double a, double b) { return a + std::abs(b); });
  // Equal sums that were added in another order differ by rounding.
  constexpr double rounding_of_sums = 1e-9;
  const double bound = std::abs(sum) - rounding_of_sums * size;
  // The first sign is fixed: the opposite choice of all signs has the same sum without its sign. In
  // the order of Gray's code, neighbours differ in one sign.
  const std::uint32_t choices = std::uint32_t{1} << (differences.size() - 1);
  std::uint32_t extreme = 0;
  double now = sum;
  for (std::uint32_t i = 0;;) {
    if (std::abs(now) >= bound) ++extreme;
    if (++i == choices) break;
    const auto flipped = static_cast<std::size_t>(std::countr_zero(i));
    const bool was_negative = ((i - 1) ^ ((i - 1) >> 1U)) >> flipped & 1U;
    now += (was_negative ? 2 : -2) * differences[flipped + 1];
  }
  return static_cast<double>(extreme) / static_cast<double>(choices);
}

}  // namespace inferbench::comparison
