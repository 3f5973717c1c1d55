#include "comparison/tails.hpp"

#include <algorithm>
#include <cmath>

#include <boost/math/distributions/complement.hpp>
#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/policies/policy.hpp>

namespace inferbench::comparison {
namespace {

/// No exception, no promotion to long double: twelve digits are enough.
using silent = boost::math::policies::policy<
    boost::math::policies::domain_error<boost::math::policies::ignore_error>,
    boost::math::policies::pole_error<boost::math::policies::ignore_error>,
    boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
    boost::math::policies::evaluation_error<boost::math::policies::ignore_error>,
    boost::math::policies::promote_double<false>>;

}  // namespace

double student_tail(double t, double degrees) noexcept {
  if (std::isinf(t)) return t > 0 ? 0 : 1;
  return boost::math::cdf(
      boost::math::complement(boost::math::students_t_distribution<double, silent>(degrees), t));
}

double shifted_tail(double t, double degrees, double shift) noexcept {
  // Here the tail is 0 or 1 to at least four digits, and the series would take long.
  constexpr double far = 40;
  // The series of a larger shift overflows a counter of the library.
  constexpr double largest = 60'000;
  if (shift > far + 4 * std::abs(t) || shift > largest) return 1;
  if (shift < -far - 4 * std::abs(t) || shift < -largest) return 0;
  const double tail = boost::math::cdf(boost::math::complement(
      boost::math::non_central_t_distribution<double, silent>(degrees, shift), t));
  return std::clamp(tail, 0.0, 1.0);
}

}  // namespace inferbench::comparison
