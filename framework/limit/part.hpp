// A goal is a conjunction of parts; a probe passes if each part passes. Values only.
#pragma once

#include <limits>
#include <string>

namespace inferbench::limit {

enum class part_kind {
  share,  // less than `allowed` of all requests may be over: percentiles, goodput, failed requests
  mean,   // the mean of a value of each request: estimated, never certified
  rate,   // an amount per second: estimated, never certified
};

/// The side of the limit on which a mean or a rate passes.
enum class side { below, above };

struct part {
  std::string goal;  // as the user wrote it: "ttft.p99<200ms"
  part_kind kind = part_kind::share;
  double allowed = 0.01;      // share: between 0 and 1 and not 0 or 1; 0.01 for a p99
  side passes = side::below;  // mean, rate
  double limit = 0;           // mean, rate
  std::string unit;           // mean, rate: of the limit and of the values, for texts
};

/// A request as a part sees it.
struct observation {
  /// share: whether the request says anything. A percentile of TPOT has no value of an answer of
  /// one token. The other parts still count the request.
  bool has_side = true;
  /// share: whether the request is over the limit. Failed and dropped requests are over.
  bool over = false;
  /// mean: the value. rate: the amount (tokens, 1 for requests per second), 0 for a failed request.
  /// NaN: the request has no value, as a failed request has no latency.
  double value = std::numeric_limits<double>::quiet_NaN();
  /// rate: when the request started and ended, in seconds from any fixed time.
  double start_s = 0;
  double end_s = 0;
};

}  // namespace inferbench::limit
