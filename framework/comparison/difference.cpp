#include "comparison/difference.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "comparison/tails.hpp"
#include "confidence/binomial.hpp"

namespace inferbench::comparison {
namespace {

/// Below this deviation, logarithms differ by the rounding of their sums only.
constexpr double rounding = 1e-12;

struct centre {
  double mean = 0;
  double deviation = 0;
};

/// At least two values.
centre centre_of(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  centre out;
  out.mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double value : values)
    squares += (value - out.mean) * (value - out.mean);
  out.deviation = std::sqrt(squares / (n - 1));
  return out;
}

log_difference finished(log_difference out) {
  if (std::max(out.plan.deviation, out.plan.other_deviation) <= rounding)
    out.constant_chance = chance_of_order(out.plan);
  return out;
}

}  // namespace

double chance_of_order(const design& of) noexcept {
  const auto n = static_cast<double>(of.count);
  if (of.paired) return std::exp2(-n);
  const auto m = static_cast<double>(of.other_count);
  return std::exp(std::lgamma(n + 1) + std::lgamma(m + 1) - std::lgamma(n + m + 1));
}

double log_difference::deviation() const noexcept {
  return plan.paired ? plan.deviation
                     : std::hypot(plan.deviation, plan.other_deviation) / std::sqrt(2.0);
}

double log_difference::p() const noexcept {
  if (constant_chance) return std::abs(mean) <= rounding ? 1 : std::min(1.0, 2 * *constant_chance);
  return 2 * student_tail(std::abs(mean) / plan.standard_error(), plan.degrees());
}

double log_difference::p_same(double margin) const noexcept {
  // The nearer end of the margin has the larger p-value of both tests.
  const double room = margin - std::abs(mean);
  if (constant_chance) return room > rounding ? *constant_chance : 1;
  return student_tail(room / plan.standard_error(), plan.degrees());
}

double log_difference::half_width(double error_rate) const noexcept {
  if (constant_chance) return 0;
  return confidence::student(1 - error_rate / 2, plan.degrees()) * plan.standard_error();
}

std::optional<log_difference> difference_of_blocks(std::span<const double> blocks) {
  if (blocks.size() < 2) return std::nullopt;
  const centre of = centre_of(blocks);
  log_difference out;
  out.mean = of.mean;
  out.plan.deviation = of.deviation;
  out.plan.count = blocks.size();
  return finished(out);
}

std::optional<log_difference> difference_of_groups(std::span<const double> base,
                                                   std::span<const double> other) {
  if (base.size() < 2 || other.size() < 2) return std::nullopt;
  const centre of_base = centre_of(base), of_other = centre_of(other);
  log_difference out;
  out.mean = of_other.mean - of_base.mean;
  out.plan.paired = false;
  out.plan.deviation = of_base.deviation;
  out.plan.other_deviation = of_other.deviation;
  out.plan.count = base.size();
  out.plan.other_count = other.size();
  return finished(out);
}

}  // namespace inferbench::comparison
