// How many of the gaps between stream events are over a limit, and how much these gaps depend on
// one another. The gaps of one answer share its place in the server's batch, and a stall meets all
// answers at once. So the answer, not the gap, is the unit here: with p the share of all n gaps
// that are over the limit, and d_r = (gaps over the limit) - p (gaps) of the answer r, the sum of
// d_r^2 divided by n p (1 - p) is the factor between the variance of p and its variance for
// independent gaps (the design effect of a cluster sample). The correlation time of the series d_r
// is a further factor. One thread at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "metrics/kept.hpp"

namespace inferbench::metrics {

/// A limit of gaps: a gap is over it from `from_ns` on.
struct gap_limit {
  std::uint64_t from_ns = 0;
  double over = 0;              // gaps over the limit
  double correlation_time = 1;  // as of confidence::exceedance, at least 1
};

/// Fills in `over` and `correlation_time` of each limit. Reads the tape once, and uses 4 bytes for
/// each answer and limit.
void count_gaps(const kept_requests& kept, std::vector<gap_limit>& limits);

}  // namespace inferbench::metrics
