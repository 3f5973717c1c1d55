#include "comparison/design.hpp"

#include <algorithm>
#include <cmath>

#include "comparison/tails.hpp"
#include "confidence/binomial.hpp"

namespace inferbench::comparison {
namespace {

/// The variance of the mean of the base, and that of the candidate.
struct two_variances {
  double base = 0, other = 0;
};

two_variances variances_of(const design& of) noexcept {
  return {of.deviation * of.deviation / static_cast<double>(of.count),
          of.other_deviation * of.other_deviation / static_cast<double>(of.other_count)};
}

/// The smallest number of at least 2 and at most `most` for which `holds` is true; it is false
/// below some number and true from there on.
template <typename condition>
std::optional<std::size_t> first_that(std::size_t most, condition&& holds) {
  if (most < 2) return std::nullopt;
  // Doubling keeps away from large numbers, whose tails cost more.
  std::size_t below = 1, at = 2;
  while (!holds(at)) {
    if (at == most) return std::nullopt;
    below = at;
    at = std::min(most, at * 2);
  }
  while (at - below > 1) {
    const std::size_t middle = below + (at - below) / 2;
    (holds(middle) ? at : below) = middle;
  }
  return at;
}

}  // namespace

double design::standard_error() const noexcept {
  if (paired) return deviation / std::sqrt(static_cast<double>(count));
  const two_variances of = variances_of(*this);
  return std::sqrt(of.base + of.other);
}

double design::degrees() const noexcept {
  if (paired) return static_cast<double>(count) - 1;
  const std::size_t smaller = std::min(count, other_count);
  if (count != other_count && smaller < enough_for_welch) return static_cast<double>(smaller) - 1;
  const two_variances of = variances_of(*this);
  const double sum = of.base + of.other;
  const auto n = static_cast<double>(count), m = static_cast<double>(other_count);
  if (!(sum > 0)) return n + m - 2;
  // The shares of the sum do not underflow as the squares of the variances would.
  const double a = of.base / sum, b = of.other / sum;
  return 1 / (a * a / (n - 1) + b * b / (m - 1));
}

design design::with(std::size_t number) const noexcept {
  design out = *this;
  out.count = number;
  out.other_count = paired ? 0 : number;
  return out;
}

decision first_decision(const comparison_settings& settings, std::size_t tests) noexcept {
  return {settings.error_rate / static_cast<double>(tests), std::log1p(settings.same_within),
          settings.same_error_rate};
}

double chance_to_find(const design& of, double difference, double alpha) {
  const double error = of.standard_error();
  const double degrees = of.degrees();
  return shifted_tail(confidence::student(1 - alpha / 2, degrees), degrees,
                      std::abs(difference) / error);
}

double chance_of_same(const design& of, double difference, double margin, double alpha) {
  const double error = of.standard_error();
  const double degrees = of.degrees();
  const double t = confidence::student(1 - alpha, degrees);
  // Each of the two tests misses with a known chance; together they miss at most with the sum.
  const double lower = shifted_tail(t, degrees, (margin + difference) / error);
  const double upper = shifted_tail(t, degrees, (margin - difference) / error);
  return std::max(0.0, lower + upper - 1);
}

double found_with(const design& of, const decision& at, double power) {
  const double error = of.standard_error();
  // Without variation every difference above the margin is found.
  if (!(error > 0)) return std::expm1(at.margin);
  const auto is_found = [&](double difference) {
    const double found = chance_to_find(of, difference, at.alpha);
    if (found < power || difference >= 2 * at.margin) return found >= power;
    return found - chance_of_same(of, difference, at.margin, at.same_alpha) >= power;
  };
  double low = 0, high = error;
  while (!is_found(high))
    high *= 2;
  for (int i = 0; i < 40; ++i) {
    const double middle = (low + high) / 2;
    (is_found(middle) ? high : low) = middle;
  }
  return std::expm1(high);
}

std::optional<std::size_t> needed_to_tell(const design& of, double difference, const decision& at,
                                          double power, std::size_t most) {
  std::optional<std::size_t> out;
  if (std::abs(difference) < at.margin)
    out = first_that(most, [&](std::size_t number) {
      return chance_of_same(of.with(number), difference, at.margin, at.same_alpha) >= power;
    });
  // A number that is larger than this one is of no use.
  const std::size_t limit = out.value_or(most);
  const auto found = first_that(limit, [&](std::size_t number) {
    return chance_to_find(of.with(number), difference, at.alpha) >= power;
  });
  return found ? found : out;
}

}  // namespace inferbench::comparison
