// Predicts the duration of a load against a server with known latencies. Performs no I/O.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <vector>

namespace inferbench::calibration {

/// Add the requests in the order of the schedule. Each request is answered after the time to the
/// first token and a gap for each further token; the server itself is never a bottleneck. The load
/// of a server whose delays grow with the load is the number of requests in flight when the request
/// starts, including that request: later requests are not known then.
class workload {
 public:
  struct server {
    double ttft_ns = 0;  // mean delays
    double itl_ns = 0;
    double ttft_per_active_ns = 0;  // added for each request in flight
    double itl_per_active_ns = 0;

    [[nodiscard]] bool grows() const { return ttft_per_active_ns > 0 || itl_per_active_ns > 0; }
  };

  workload(server answers, std::optional<std::int64_t> max_concurrency)
      : answers_(answers), max_concurrency_(max_concurrency) {}

  /// Adds a request that is due at `due_ns` and gets an answer of `tokens` tokens. Returns the end
  /// time of the request in ns from the start of the load.
  [[nodiscard]] double add(double due_ns, double tokens);

 private:
  server answers_;
  std::optional<std::int64_t> max_concurrency_;
  // End times of the requests in flight; the earliest first.
  std::priority_queue<double, std::vector<double>, std::greater<>> in_flight_;
};

}  // namespace inferbench::calibration
