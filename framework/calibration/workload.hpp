// How long a load is going to take against a server whose latencies are known. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <vector>

namespace inferbench::calibration {

/// Requests in the order of the schedule, each answered after its time to the first
/// token and a gap for each further one, without ever waiting for the server.
class workload {
 public:
  struct server {
    double ttft_ns = 0;  // means
    double itl_ns = 0;
  };

  workload(server answers, std::optional<std::int64_t> max_concurrency)
      : answers_(answers), max_concurrency_(max_concurrency) {}

  /// When a request that is due at `due_ns` and is answered with `tokens` is over, ns from
  /// the start of the load.
  [[nodiscard]] double add(double due_ns, double tokens);

 private:
  server answers_;
  std::optional<std::int64_t> max_concurrency_;
  // When each of those in flight is over; the earliest first.
  std::priority_queue<double, std::vector<double>, std::greater<>> in_flight_;
};

}  // namespace inferbench::calibration
