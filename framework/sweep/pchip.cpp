#include "sweep/pchip.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace inferbench::sweep {

namespace {

bool signs_differ(double a, double b) { return (a > 0 && b < 0) || (a < 0 && b > 0); }

// The slope at the first point, from the widths and slopes of the first two intervals: the slope of
// the parabola through three points, limited so that the curve stays monotone.
double slope_at_end(double h0, double h1, double m0, double m1) {
  const double slope = ((2 * h0 + h1) * m0 - h0 * m1) / (h0 + h1);
  if (signs_differ(slope, m0) || m0 == 0) return 0;
  if (signs_differ(m0, m1) && std::abs(slope) > 3 * std::abs(m0)) return 3 * m0;
  return slope;
}

}  // namespace

monotone_cubic::monotone_cubic(std::vector<double> x, std::vector<double> y)
    : x_(std::move(x)), y_(std::move(y)), slopes_(x_.size()) {
  const std::size_t intervals = x_.size() - 1;
  std::vector<double> h(intervals);
  std::vector<double> m(intervals);
  for (std::size_t k = 0; k < intervals; ++k) {
    h[k] = x_[k + 1] - x_[k];
    m[k] = (y_[k + 1] - y_[k]) / h[k];
  }
  if (intervals == 1) {
    slopes_.assign(2, m[0]);
    return;
  }
  slopes_.front() = slope_at_end(h[0], h[1], m[0], m[1]);
  slopes_.back() =
      slope_at_end(h[intervals - 1], h[intervals - 2], m[intervals - 1], m[intervals - 2]);
  for (std::size_t k = 1; k < intervals; ++k) {
    if (m[k - 1] == 0 || m[k] == 0 || signs_differ(m[k - 1], m[k])) continue;
    const double w1 = 2 * h[k] + h[k - 1];
    const double w2 = h[k] + 2 * h[k - 1];
    slopes_[k] = (w1 + w2) / (w1 / m[k - 1] + w2 / m[k]);
  }
}

double monotone_cubic::value(double at) const {
  const auto above = std::upper_bound(x_.begin() + 1, x_.end() - 1, at);
  return within(static_cast<std::size_t>(above - x_.begin()) - 1, at);
}

double monotone_cubic::within(std::size_t k, double at) const {
  const double h = x_[k + 1] - x_[k];
  const double t = (at - x_[k]) / h;
  const double rest = 1 - t;
  // The cubic Hermite polynomials. Nearer to the left end y_[k + 1] has a small factor and nearer
  // to the right end y_[k], so that no large numbers cancel each other.
  return rest * rest * ((1 + 2 * t) * y_[k] + t * h * slopes_[k]) +
         t * t * ((1 + 2 * rest) * y_[k + 1] - rest * h * slopes_[k + 1]);
}

// The ends have different signs, and the curve is monotone between two points (its slopes are at
// most three times the slope of the line between them), so there is one root.
double monotone_cubic::root_within(std::size_t k) const {
  const bool rises = y_[k] < 0;
  double low = x_[k];
  double high = x_[k + 1];
  for (;;) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    const double found = within(k, middle);
    if (found == 0) return middle;
    ((found < 0) == rises ? low : high) = middle;
  }
  const double whole = std::round(high);
  const double rounding =
      8 * std::numeric_limits<double>::epsilon() * std::max(std::abs(y_[k]), std::abs(y_[k + 1]));
  const bool zero_there =
      whole > x_[k] && whole < x_[k + 1] && std::abs(within(k, whole)) <= rounding;
  return zero_there ? whole : low;
}

std::optional<double> monotone_cubic::smallest_root() const {
  for (std::size_t k = 0; k < x_.size(); ++k) {
    if (y_[k] == 0) return x_[k];
    if (k + 1 < x_.size() && signs_differ(y_[k], y_[k + 1])) return root_within(k);
  }
  return std::nullopt;
}

}  // namespace inferbench::sweep
