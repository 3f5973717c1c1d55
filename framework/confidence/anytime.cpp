#include "confidence/anytime.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/tools/fraction.hpp>

namespace inferbench::confidence {
namespace {

/// The terms of the continued fraction of the incomplete beta function (DiDonato and Morris,
/// "Algorithm 708", 1992): the integral is x^a (1-x)^b divided by the fraction. It converges fast
/// for x below the mean a / (a + b).
class beta_terms {
 public:
  using result_type = std::pair<double, double>;

  beta_terms(double a, double b, double x) noexcept : a_(a), b_(b), x_(x) {}

  result_type operator()() noexcept {
    const double m = m_++;
    // The fraction has no numerator before its first denominator, and for a = 1 this is 0 / 0.
    if (m == 0) return {0, a_ * (a_ * (1 - x_) - b_ * x_ + 1) / (a_ + 1)};
    const double before = a_ + 2 * m - 1;
    const double numerator =
        m * (a_ + m - 1) / before * ((a_ + b_ + m - 1) / before) * (b_ - m) * x_ * x_;
    const double denominator =
        m + m * (b_ - m) * x_ / before +
        (a_ + m) * (a_ * (1 - x_) - b_ * x_ + 1 + m * (2 - x_)) / (before + 2);
    return {numerator, denominator};
  }

 private:
  double a_, b_, x_;
  double m_ = 0;
};

bool is_below_mean(double a, double b, double x) noexcept { return x * (a + b) <= a; }

/// ln of the fraction; x is below the mean.
double ln_fraction(double a, double b, double x) noexcept {
  beta_terms terms(a, b, x);
  constexpr double close = 4 * std::numeric_limits<double>::epsilon();
  std::uintmax_t most = 1'000'000;
  return std::log(boost::math::tools::continued_fraction_b(terms, close, most));
}

double ln_gamma(double x) noexcept {
  using quiet = boost::math::policies::policy<
      boost::math::policies::domain_error<boost::math::policies::ignore_error>,
      boost::math::policies::pole_error<boost::math::policies::ignore_error>,
      boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
      boost::math::policies::promote_double<false>>;
  return boost::math::lgamma(x, quiet());
}

double ln_beta(double a, double b) noexcept { return ln_gamma(a) + ln_gamma(b) - ln_gamma(a + b); }

double ln_lower_tail(double a, double b, double x) noexcept {
  return a * std::log(x) + b * std::log1p(-x) - ln_fraction(a, b, x);
}

/// The number of steps of at most `step` from `now` to `bound`, at least 1. A millionth less than
/// the distance, because of rounding.
std::uint64_t steps_to(double bound, double now, double step) noexcept {
  const double steps = std::ceil((bound - now - 1e-6) / step);
  return static_cast<std::uint64_t>(std::clamp(steps, 1.0, 1e15));
}

}  // namespace

double ln_lower_beta(double a, double b, double x) noexcept {
  if (!(x > 0)) return -std::numeric_limits<double>::infinity();
  if (x >= 1) return ln_beta(a, b);
  if (is_below_mean(a, b, x)) return ln_lower_tail(a, b, x);
  const double all = ln_beta(a, b);
  // The upper part is at most about half of the whole, so nothing is lost.
  return all + std::log1p(-std::exp(ln_lower_tail(b, a, 1 - x) - all));
}

double ln_evidence_less(double n, double over, double share) noexcept {
  const double a = over + 1;
  const double b = n - over + 1;
  // The powers of the integral and of the denominator cancel: no large numbers are subtracted.
  if (is_below_mean(a, b, share)) return std::log1p(-share) - ln_fraction(a, b, share);
  return ln_lower_beta(a, b, share) - a * std::log(share) - (b - 1) * std::log1p(-share);
}

double ln_evidence_more(double n, double over, double share) noexcept {
  return ln_evidence_less(n, n - over, 1 - share);
}

share_watch::share_watch(double share, double ln_less, double ln_more) noexcept
    : share_(share),
      bound_less_(ln_less),
      bound_more_(ln_more),
      next_under_(steps_to(ln_less, 0, -std::log1p(-share))),
      next_over_(steps_to(ln_more, 0, -std::log(share))) {}

double share_watch::ln_less() const noexcept {
  return ln_evidence_less(static_cast<double>(count_), static_cast<double>(over_), share_);
}

double share_watch::ln_more() const noexcept {
  return ln_evidence_more(static_cast<double>(count_), static_cast<double>(over_), share_);
}

share_watch::finding share_watch::look_for_less() noexcept {
  const double now = ln_less();
  // Values over the limit only lower the evidence, so the other values alone are counted.
  next_under_ = count_ - over_ + steps_to(bound_less_, now, -std::log1p(-share_));
  return now >= bound_less_ ? finding::less : finding::open;
}

share_watch::finding share_watch::look_for_more() noexcept {
  const double now = ln_more();
  next_over_ = over_ + steps_to(bound_more_, now, -std::log(share_));
  return now >= bound_more_ ? finding::more : finding::open;
}

}  // namespace inferbench::confidence
