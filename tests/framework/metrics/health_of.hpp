// Data about clients for tests of the verdict: a client that keeps up, and variations of it.
#pragma once

#include <functional>

#include "base/clock.hpp"
#include "metrics/health.hpp"

namespace inferbench::metrics::testing_ {

using base::ns_per_s;
using base::ns_per_us;

/// The bounds of mean, median and P99 of TTFT.
inline error_bound ttft_bound(figure_bound mean, figure_bound median, figure_bound p99) {
  return {metric::ttft, printed::all, 0, mean, median, {{99, p99}}};
}

/// A healthy client: ten seconds of one worker with 10,000 requests.
inline client_health good() {
  client_health out;
  client::worker_health w;
  w.loop_lag.add(20 * ns_per_us, 1'000'000);
  w.launch_lag.add(30 * ns_per_us, 10'000);
  w.receive_queue.add(300, 1'000'000);
  w.turns = 900'000;
  w.cpu_ns = 4 * ns_per_s;
  w.run_delay_ns = ns_per_s / 100;
  w.wall_ns = 10 * ns_per_s;
  w.servers = {{.requests = 10'000, .connects = 64, .opened_ahead = 64, .reuses = 10'000}};
  out.workers = {w};
  out.loads = {{0.5, 0.001}};
  out.bounds = {ttft_bound({50, 0.02}, {50, 0.015}, {60, 0.03})};
  out.servers = {"http://127.0.0.1:8000"};
  out.process_cpu_ns = 5 * ns_per_s;
  out.wall_ns = 10 * ns_per_s;
  out.cgroup = throttling{};
  return out;
}

inline verdict with(const std::function<void(client_health&)>& change) {
  client_health h = good();
  change(h);
  return judge(h);
}

/// A run whose P99 TTFT, `figure`, may be off by `ms`.
inline verdict off_by(double figure, double ms) {
  return with([&](client_health& h) { h.bounds = {ttft_bound({}, {}, {figure, ms})}; });
}

/// A run with stamps of unknown lateness.
inline void forget_bounds(client_health& h) {
  h.bounds = {ttft_bound({}, {}, {})};
  h.bounds[0].unknown = 10'000;
}

}  // namespace inferbench::metrics::testing_
