// Boost.Math is included here and not in a header, because its headers take seconds to compile.
#include "confidence/binomial.hpp"

#include <algorithm>
#include <cmath>

#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/beta.hpp>

namespace inferbench::confidence {
namespace {

/// No exception, no promotion to long double: twelve digits are enough.
using quiet = boost::math::policies::policy<
    boost::math::policies::domain_error<boost::math::policies::ignore_error>,
    boost::math::policies::pole_error<boost::math::policies::ignore_error>,
    boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
    boost::math::policies::evaluation_error<boost::math::policies::ignore_error>,
    boost::math::policies::promote_double<false>>;

bool is_proved(double chance) noexcept { return chance < 1 - level; }

/// The largest whole number from `from` to below `to` for which `holds` is true; it is true for
/// `from`, and false from some number on.
template <typename condition>
double last_that(double from, double to, condition&& holds) {
  while (to - from > 1) {
    const double middle = std::floor((from + to) / 2);
    (holds(middle) ? from : to) = middle;
  }
  return from;
}

}  // namespace

double chance_of_at_most(double n, double over, double share) noexcept {
  if (over < 0) return 0;
  if (!(over < n) || !(share > 0)) return 1;
  if (share >= 1) return 0;
  return boost::math::ibetac(over + 1, n - over, share, quiet());
}

std::optional<double> most_over(double n, double share) noexcept {
  const auto proved = [&](double over) { return is_proved(chance_of_at_most(n, over, share)); };
  if (!proved(0)) return std::nullopt;
  return last_that(0, std::max(1.0, std::ceil(n)), proved);
}

std::optional<double> needed(double over, double share) noexcept {
  if (!(share > 0)) return std::nullopt;
  const auto open = [&](double n) { return !is_proved(chance_of_at_most(n, over, share)); };
  constexpr double most = 1e15;
  double enough = over + 1;
  while (open(enough)) {
    if (enough > most) return std::nullopt;
    enough *= 2;
  }
  return last_that(over, enough, open) + 1;
}

bool exceedance::proves_less() const noexcept {
  return is_proved(chance_of_at_most(effective(), std::ceil(over / correlation_time), share));
}

bool exceedance::proves_more() const noexcept {
  const double least = std::floor(over / correlation_time);
  return least > 0 && is_proved(1 - chance_of_at_most(effective(), least - 1, share));
}

share_interval interval_of_share(double n, double over) noexcept {
  constexpr double side = (1 - level) / 2;
  share_interval out;
  if (over > 0) out.low = boost::math::ibeta_inv(over, n - over + 1, side, quiet());
  if (over < n) out.high = boost::math::ibeta_inv(over + 1, n - over, 1 - side, quiet());
  return out;
}

double student(double probability, double degrees) noexcept {
  return boost::math::quantile(boost::math::students_t_distribution<double, quiet>(degrees),
                               probability);
}

}  // namespace inferbench::confidence
