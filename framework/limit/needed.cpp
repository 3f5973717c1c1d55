#include "limit/needed.hpp"

#include <cmath>

#include "confidence/anytime.hpp"

namespace inferbench::limit {
namespace {

/// The whole number next to the edge between `holds` and its opposite, on the side where it holds.
/// `yes` holds, `no` does not.
template <typename condition>
double edge(double yes, double no, condition&& holds) {
  while (std::abs(no - yes) > 1) {
    const double middle = std::floor((yes + no) / 2);
    (holds(middle) ? yes : no) = middle;
  }
  return yes;
}

}  // namespace

std::optional<double> passing_share(double n, double allowed, double ln_pass) {
  const auto passes = [&](double over) {
    return confidence::ln_evidence_less(n, over, allowed) >= ln_pass;
  };
  if (!(n >= 1) || !passes(0)) return std::nullopt;
  return edge(0, n, passes) / n;
}

std::optional<double> failing_share(double n, double allowed, double ln_fail) {
  const auto fails = [&](double over) {
    return confidence::ln_evidence_more(n, over, allowed) >= ln_fail;
  };
  if (!(n >= 1) || !fails(n)) return std::nullopt;
  return edge(n, 0, fails) / n;
}

std::optional<double> more_needed(double n, double share, double allowed, double ln_pass,
                                  double ln_fail) {
  const auto decides = [&](double count) {
    return share < allowed ? confidence::ln_evidence_less(count, count * share, allowed) >= ln_pass
                           : confidence::ln_evidence_more(count, count * share, allowed) >= ln_fail;
  };
  if (decides(n)) return 0;
  constexpr double most = 1e9;
  double enough = std::fmax(1, std::ceil(n));
  while (!decides(enough)) {
    if (enough > most) return std::nullopt;
    enough *= 2;
  }
  return edge(enough, std::floor(n), decides) - n;
}

}  // namespace inferbench::limit
