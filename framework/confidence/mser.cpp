#include "confidence/mser.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

namespace inferbench::confidence {

truncation find_truncation(std::span<const double> values) {
  const std::size_t m = values.size() / mser_batch;
  if (m < 2) return {values.size(), true};
  // Differences to a number near all values keep the sums of squares exact.
  const double near = values.front();
  std::vector<double> means;
  means.reserve(m);
  for (std::size_t i = 0; i < m; ++i) {
    const auto five = values.subspan(i * mser_batch, mser_batch);
    means.push_back(std::accumulate(five.begin(), five.end(), 0.0) / mser_batch - near);
  }
  const std::size_t edge = m / 2;
  double sum = 0;
  double squares = 0;
  double least = std::numeric_limits<double>::infinity();
  std::size_t best = edge;
  for (std::size_t d = m; d-- > 0;) {
    sum += means[d];
    squares += means[d] * means[d];
    if (d > edge) continue;
    const auto left = static_cast<double>(m - d);
    const double score = std::max(0.0, squares - sum * sum / left) / (left * left);
    // The smallest d counts among equal scores: a series without variance is steady from its start.
    if (score <= least) {
      least = score;
      best = d;
    }
  }
  return {best * mser_batch, best == edge};
}

}  // namespace inferbench::confidence
