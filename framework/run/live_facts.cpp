#include "run/live_facts.hpp"

#include <cstdint>
#include <limits>

#include <inferbench/json_writer.hpp>

namespace inferbench::run {

namespace {

void write_progress(ifb::json_writer& out, const progress_state& now) {
  out.key("progress");
  out.begin_object();
  if (now.total == unknown_total)
    out.key("planned"), out.null();
  else
    out.member("planned", now.total);
  out.member("started", now.done + now.in_flight);
  out.member("finished", now.done);
  out.member("failed", now.failed);
  out.member("in_flight", now.in_flight);
  out.member("elapsed_s", static_cast<double>(now.elapsed_ns) / 1e9);
  if (now.limit_ns == 0)
    out.key("limit_s"), out.null();
  else
    out.member("limit_s", static_cast<double>(now.limit_ns) / 1e9);
  out.end_object();
}

}  // namespace

std::string live_facts(const live_state& now, const metrics::ledger& accounts,
                       std::span<const observe::current_value> series,
                       std::span<const std::string> log) {
  ifb::json_writer out;
  out.begin_object();
  write_progress(out, now.progress);
  const bool counted = now.progress.total < std::numeric_limits<std::int64_t>::max();
  // The fate of the requests that have not ended is not known yet.
  accounts.write(out, counted ? static_cast<std::int64_t>(now.progress.total) : 0, true);
  out.key("client");
  out.begin_object();
  out.member("busiest_worker", now.busiest_worker);
  out.end_object();
  out.key("series");
  out.begin_array();
  for (const observe::current_value& each : series) {
    out.begin_object();
    out.member("source", each.url);
    out.member("server", each.server);
    out.member("name", each.name);
    out.member("unit", each.unit);
    out.key("labels");
    out.begin_object();
    for (const auto& [name, value] : each.labels)
      out.member(name, value);
    out.end_object();
    out.member("value", each.value);
    out.end_object();
  }
  out.end_array();
  out.key("log");
  out.begin_array();
  for (const std::string& line : log)
    out.string(line);
  out.end_array();
  out.end_object();
  return out.take();
}

}  // namespace inferbench::run
