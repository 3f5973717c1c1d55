#include "limit/chain_evidence.hpp"

#include <algorithm>
#include <cmath>

#include "confidence/anytime.hpp"

namespace inferbench::limit {
namespace {

/// count * ln(chance), 0 for a count of 0 even if the chance is 0.
double weighted(double count, double chance) noexcept {
  return count > 0 ? count * std::log(chance) : 0;
}

double ln_likelihood(const chain_counts& c, double a, double b) noexcept {
  return weighted(c.under_over(), a) + weighted(c.under_under(), 1 - a) +
         weighted(c.over_over(), b) + weighted(c.over_under(), 1 - b);
}

/// The likelihood of the chain with this share and this correlation.
double ln_likelihood_of(const chain_counts& c, double share, double correlation) noexcept {
  const double a = (1 - correlation) * share;
  return ln_likelihood(c, a, correlation + a);
}

/// A sum of count * ln(constant + slope * x), which is concave, at its largest in (from, to).
struct concave_sum {
  struct term {
    double count, constant, slope;
  };
  term terms[4];

  [[nodiscard]] double slope_at(double x) const noexcept {
    double sum = 0;
    for (const term& each : terms)
      if (each.count > 0) sum += each.count * each.slope / (each.constant + each.slope * x);
    return sum;
  }

  [[nodiscard]] double argmax(double from, double to) const noexcept {
    // The largest is at an end more often than not, and at an end the slope is not 0.
    if (!(slope_at(from) > 0)) return from;
    if (!(slope_at(to) < 0)) return to;
    constexpr int halvings = 40;
    for (int i = 0; i < halvings; ++i) {
      const double middle = (from + to) / 2;
      (slope_at(middle) > 0 ? from : to) = middle;
    }
    return (from + to) / 2;
  }
};

/// The largest likelihood for the correlation `r`, over shares in (from, to).
double best_share(const chain_counts& c, double r, double from, double to) noexcept {
  const double k = 1 - r;
  const concave_sum sum{{{c.under_over(), 0, k},
                         {c.under_under(), 1, -k},
                         {c.over_over(), r, k},
                         {c.over_under(), k, -k}}};
  return ln_likelihood_of(c, sum.argmax(from, to), r);
}

/// The largest likelihood for the share `q`, over correlations of 0 to `most`.
double best_correlation(const chain_counts& c, double q, double most) noexcept {
  const concave_sum sum{{{c.under_over(), q, -q},
                         {c.under_under(), 1 - q, q},
                         {c.over_over(), q, 1 - q},
                         {c.over_under(), 1 - q, q - 1}}};
  return ln_likelihood_of(c, q, sum.argmax(0, most));
}

/// The largest likelihood of chains with a share from `from` to `to`, of which one is 0 or 1 and
/// the other is `edge`. The logarithm is concave in a and b, and the chains form a polygon in a and
/// b, so the largest is at the free optimum, if it is inside, or on one of the sides of the
/// polygon.
double ln_null(const chain_counts& c, double from, double to, double edge,
               double assumed) noexcept {
  const double after_under = c.under_over() + c.under_under();
  const double after_over = c.over_over() + c.over_under();
  if (after_under > 0 && after_over > 0) {
    const double a = c.under_over() / after_under;
    const double b = c.over_over() / after_over;
    const double share = 1 - b + a > 0 ? a / (1 - b + a) : 1;
    if (b >= a && b - a <= assumed && share >= from && share <= to) return ln_likelihood(c, a, b);
  }
  return std::max({best_share(c, 0, from, to), best_share(c, assumed, from, to),
                   best_correlation(c, edge, assumed)});
}

double ln_of_sum(double x, double y) noexcept {
  const double most = std::max(x, y);
  return most + std::log(std::exp(x - most) + std::exp(y - most));
}

/// ln of the mean of x^over (1-x)^under over Jeffreys' weight on (0, edge).
double ln_mixture(double over, double under, double edge) noexcept {
  // The integral of the weight alone is the arcsine distribution.
  return confidence::ln_lower_beta(over + 0.5, under + 0.5, edge) -
         std::log(2 * std::asin(std::sqrt(edge)));
}

/// ln of the mixture of both kinds of chains.
double ln_prior_mean(double independent, double dependent) noexcept {
  constexpr double ln_independent = -0.22314355131420971;  // 0.8
  constexpr double ln_dependent = -1.6094379124341003;     // 0.2
  return ln_of_sum(ln_independent + independent, ln_dependent + dependent);
}

}  // namespace

double ln_chain_less(const chain_counts& counts, double share, double assumed) noexcept {
  const double independent = ln_mixture(counts.under_over() + counts.over_over(),
                                        counts.under_under() + counts.over_under(), share);
  // The chance b stays within the chains of the null. A run that is longer than they explain would
  // be evidence against the assumed correlation, and not for a small share.
  const double dependent =
      ln_mixture(counts.under_over(), counts.under_under(), share) +
      ln_mixture(counts.over_over(), counts.over_under(), assumed + (1 - assumed) * share);
  return ln_prior_mean(independent, dependent) - ln_null(counts, share, 1, share, assumed);
}

double ln_chain_more(const chain_counts& counts, double share, double assumed) noexcept {
  const double independent = ln_mixture(counts.under_under() + counts.over_under(),
                                        counts.under_over() + counts.over_over(), 1 - share);
  const double dependent = ln_mixture(counts.under_over(), counts.under_under(), 1) +
                           ln_mixture(counts.over_over(), counts.over_under(), 1);
  return ln_prior_mean(independent, dependent) - ln_null(counts, 0, share, share, assumed);
}

}  // namespace inferbench::limit
