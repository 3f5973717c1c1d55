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
  if (answers_.grows())
    while (!in_flight_.empty() && in_flight_.top() <= start)
      in_flight_.pop();
  const auto active = static_cast<double>(in_flight_.size() + 1);
  const double ttft = answers_.ttft_ns + answers_.ttft_per_active_ns * active;
  const double itl = answers_.itl_ns + answers_.itl_per_active_ns * active;
  const double end = start + ttft + itl * std::max(tokens - 1, 0.0);
  if (max_concurrency_ || answers_.grows()) in_flight_.push(end);
  return end;
}

}  // namespace inferbench::calibration
