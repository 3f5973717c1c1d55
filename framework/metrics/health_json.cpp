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
  out.member("standstills", w.standstills);
  out.member("longest_standstill_s", seconds(w.longest_standstill_ns));
  out.member("cpu_s", seconds(w.cpu_ns));
  out.member("run_delay_s", seconds(w.run_delay_ns));
  out.member("wall_s", seconds(w.wall_ns));
  if (load != nullptr) {
    out.member("cpu_busiest_second", load->busiest_second);
    out.member("longest_wait_in_a_second", load->longest_wait);
  }
  out.end_object();
}

void write_limit(ifb::json_writer& out, std::string_view name, double figure, double suspect,
                 double invalid) {
  out.begin_object();
  out.member("name", name);
  out.member("figure", figure);
  out.member("suspect", suspect);
  out.key("invalid");
  if (std::isfinite(invalid))
    out.number(invalid);
  else
    out.null();
  out.end_object();
}

void write_limits(ifb::json_writer& out, const client_health& of) {
  out.key("limits");
  out.begin_array();
  const std::vector<printed_bound> figures = printed_bounds(of.bounds);
  if (!figures.empty())
    write_limit(out, "error_bound",
                std::ranges::max_element(figures, {}, &printed_bound::of_limit)->of_limit, 1,
                wrong_from);
  for (const signal& s : signals_of(of))
    write_limit(out, s.limits->name, s.figure, s.limits->suspect, s.limits->invalid);
  out.end_array();
  out.key("signs");
  out.begin_array();
  for (const sign& s : signs_of(of)) {
    out.begin_object();
    out.member("name", s.kind->name);
    out.member("figure", s.figure);
    out.member("told_above", s.kind->told);
    out.end_object();
  }
  out.end_array();
}

/// The bounds of each figure by its name; null if they are not known.
void write_bounds(ifb::json_writer& out, std::span<const error_bound> bounds) {
  out.key("error_bound_ms");
  out.begin_object();
  for (const error_bound& each : bounds) {
    out.key(define(each.of).name);
    if (each.unknown != 0) {
      out.null();
      continue;
    }
    out.begin_object();
    out.member("mean", each.mean.ms);
    out.member("median", each.median.ms);
    std::vector<double> written;
    for (const auto& [percentile, bound] : each.percentiles) {
      if (std::ranges::find(written, percentile) != written.end()) continue;
      written.push_back(percentile);
      out.member(percentile_key(percentile), bound.ms);
    }
    out.end_object();
  }
  out.end_object();
  out.member("answers_without_bound", answers_without_bound(bounds));
  const std::vector<printed_bound> figures = printed_bounds(bounds);
  out.key("worst_error_bound");
  const auto worst = std::ranges::max_element(figures, {}, &printed_bound::of_limit);
  if (worst == figures.end()) return out.null();
  out.begin_object();
  out.member("figure", worst->name);
  out.member("ms", worst->bound.ms);
  out.member("of_limit", worst->of_limit);
  out.end_object();
}

void write_texts(ifb::json_writer& out, std::string_view name,
                 const std::vector<std::string>& sentences) {
  out.key(name);
  out.begin_array();
  for (const std::string& each : sentences)
    out.string(each);
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
    out.member("small_buffers", use.small_buffers);
    out.end_object();
  }
  out.end_array();
}

}  // namespace

std::string to_json(const client_health& of, const verdict& found) {
  ifb::json_writer out;
  out.begin_object();
  out.member("verdict", name_of(found.level));
  write_texts(out, "reasons", found.reasons);
  write_texts(out, "causes", found.causes);
  write_bounds(out, of.bounds);
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

std::string to_json(std::span<const error_bound> bounds) {
  ifb::json_writer out;
  out.begin_object();
  write_bounds(out, bounds);
  out.end_object();
  return out.take();
}

}  // namespace inferbench::metrics
