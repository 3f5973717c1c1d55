#include <algorithm>
#include <cmath>

#include <inferbench/json_writer.hpp>

#include "metrics/health.hpp"
#include "metrics/health_signals.hpp"

namespace inferbench::metrics {
namespace {

constexpr double ns_per_s = 1e9;

double seconds(std::uint64_t ns) { return static_cast<double>(ns) / ns_per_s; }

void write(ifb::json_writer& out, std::string_view name, const base::histogram& values,
           double unit) {
  out.key(name);
  out.begin_object();
  out.member("count", values.count());
  out.member("mean", values.mean() / unit);
  out.member("p50", values.percentile(50) / unit);
  out.member("p90", values.percentile(90) / unit);
  out.member("p99", values.percentile(99) / unit);
  out.member("p99.9", values.percentile(99.9) / unit);
  out.member("max", static_cast<double>(values.maximum()) / unit);
  out.end_object();
}

void write_worker(ifb::json_writer& out, const client::worker_health& w, const worker_load* load) {
  constexpr double ms = 1e6;
  out.begin_object();
  write(out, "loop_lag_ms", w.loop_lag, ms);
  write(out, "launch_lag_ms", w.launch_lag, ms);
  if (!w.kernel_to_client.empty()) write(out, "kernel_to_client_ms", w.kernel_to_client, ms);
  write(out, "receive_queue_bytes", w.receive_queue, 1);
  out.member("turns", w.turns);
  out.member("full_batches", w.full_batches);
  out.member("starved", w.starved);
  out.member("stalled", w.stalled);
  out.member("cpu_s", seconds(w.cpu_ns));
  out.member("run_delay_s", seconds(w.run_delay_ns));
  out.member("wall_s", seconds(w.wall_ns));
  if (load != nullptr) {
    out.member("cpu_busiest_second", load->busiest_second);
    out.member("longest_wait_in_a_second", load->longest_wait);
  }
  out.end_object();
}

void write_limits(ifb::json_writer& out, const client_health& of) {
  out.key("limits");
  out.begin_array();
  for (const signal& s : signals_of(of)) {
    out.begin_object();
    out.member("name", s.limits->name);
    out.member("figure", s.figure);
    out.member("suspect", s.limits->suspect);
    out.key("invalid");
    if (std::isfinite(s.limits->invalid))
      out.number(s.limits->invalid);
    else
      out.null();
    out.end_object();
  }
  out.end_array();
}

void write_connections(ifb::json_writer& out, const client_health& of) {
  out.key("connections");
  out.begin_array();
  for (std::size_t i = 0; i < of.servers.size(); ++i) {
    client::server_use use;
    for (const client::worker_health& w : of.workers)
      if (i < w.servers.size()) use.add(w.servers[i]);
    out.begin_object();
    out.member("server", of.servers[i]);
    out.member("requests", use.requests);
    out.member("connects", use.connects);
    out.member("opened_ahead", use.opened_ahead);
    out.member("reuses", use.reuses);
    out.member("closed_idle", use.closed_idle);
    out.member("not_reusable", use.not_reusable);
    out.member("sent_again", use.sent_again);
    out.member("retransmits", use.retransmits);
    out.end_object();
  }
  out.end_array();
}

}  // namespace

std::string to_json(const client_health& of, const verdict& found) {
  ifb::json_writer out;
  out.begin_object();
  out.member("verdict", name_of(found.level));
  out.key("reasons");
  out.begin_array();
  for (const std::string& reason : found.reasons)
    out.string(reason);
  out.end_array();
  write_limits(out, of);
  out.member("timestamps", of.stamping == base::stamping::kernel   ? "kernel"
                           : of.stamping == base::stamping::client ? "client"
                                                                   : "auto");
  out.key("workers");
  out.begin_array();
  for (std::size_t i = 0; i < of.workers.size(); ++i)
    write_worker(out, of.workers[i], i < of.loads.size() ? &of.loads[i] : nullptr);
  out.end_array();
  write_connections(out, of);
  out.member("local_failures", of.local_failures);
  out.key("process");
  out.begin_object();
  out.member("cpu_s", seconds(of.process_cpu_ns));
  out.member("wall_s", seconds(of.wall_ns));
  out.member("cores", share(of.process_cpu_ns, of.wall_ns));
  out.end_object();
  out.key("cgroup");
  if (of.cgroup) {
    out.begin_object();
    out.member("throttled_periods", of.cgroup->periods);
    out.member("throttled_s", seconds(of.cgroup->ns));
    out.end_object();
  } else {
    out.null();
  }
  out.end_object();
  return out.take();
}

}  // namespace inferbench::metrics
