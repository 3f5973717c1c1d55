#include "calibration/workload.hpp"

#include <algorithm>
#include <utility>

namespace inferbench::calibration {

double workload::add(double due_ns, double tokens) {
  double start = due_ns;
  if (max_concurrency_ && std::cmp_greater_equal(in_flight_.size(), *max_concurrency_)) {
    start = std::max(start, in_flight_.top());
    in_flight_.pop();
  }
  const double end = start + answers_.ttft_ns + answers_.itl_ns * std::max(tokens - 1, 0.0);
  if (max_concurrency_) in_flight_.push(end);
  return end;
}

}  // namespace inferbench::calibration
