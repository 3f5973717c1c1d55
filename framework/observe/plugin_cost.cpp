#include "observe/plugin_cost.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <inferbench/json_writer.hpp>

namespace inferbench::observe {

namespace {

using plugin::call;

/// The metric to which a call contributes.
const char* figure_of(call which) {
  switch (which) {
    case call::sign: return "ns_per_signature";  // the only call that is a part of the latency
    case call::on_message: return "ns_per_event";
    case call::read: return "ns_per_row";
    case call::records: return "ns_per_record";
    case call::count:
    case call::encode: return "ns_per_kb";
    default: return "ns_per_request";
  }
}

// In the order of the output.
constexpr const char* figures[] = {"ns_per_request", "ns_per_signature", "ns_per_event",
                                   "ns_per_row",     "ns_per_record",    "ns_per_kb"};

/// If both count and encode were timed, the call that was timed more often gives the cost of a
/// text.
std::optional<double> value_of(std::string_view figure, std::span<const plugin::call_cost> calls) {
  const auto timed = [&](call which) {
    return std::ranges::find(calls, which, &plugin::call_cost::which) != calls.end();
  };
  std::optional<double> out;
  std::uint64_t most = 0;
  for (const plugin::call_cost& c : calls) {
    if (figure != figure_of(c.which)) continue;
    // A submit that blocks is not timed, so the sum would contain only the cost of release.
    if (c.which == call::release && !timed(call::submit)) continue;
    if (figure != "ns_per_kb") {
      out = out.value_or(0) + c.median;
    } else if (c.timed > most) {
      most = c.timed;
      out = c.median;
    }
  }
  return out;
}

// Rounds to a tenth of a nanosecond: further digits are noise of the clock.
double shown(double ns) { return std::round(ns * 10) / 10; }

void write_calls(ifb::json_writer& out, std::span<const plugin::call_cost> calls) {
  out.begin_object();
  for (const plugin::call_cost& c : calls) {
    out.key(plugin::name_of(c.which));
    out.begin_object();
    out.member("timed", c.timed);
    out.member("mean", shown(c.mean));
    out.member("median", shown(c.median));
    out.member("p99", shown(c.p99));
    out.end_object();
  }
  out.end_object();
}

}  // namespace

std::vector<plugin_costs> take_costs(std::span<const plugin::instance* const> instances) {
  std::vector<plugin_costs> out;
  for (const plugin::instance* one : instances) {
    if (one == nullptr) continue;
    const ifb_plugin& what = *one->library().plugin;
    out.push_back({what.kind, what.id, one->take_costs()});
  }
  return out;
}

std::string plugin_cost_json(std::span<const plugin_costs> costs) {
  ifb::json_writer out;
  out.begin_array();
  for (const plugin_costs& of : costs) {
    if (of.calls.empty()) continue;
    out.begin_object();
    out.member("kind", plugin::name_of(of.kind));
    out.member("id", of.id);
    for (const char* figure : figures)
      if (const auto value = value_of(figure, of.calls)) out.member(figure, shown(*value));
    out.key("calls");
    write_calls(out, of.calls);
    out.end_object();
  }
  out.end_array();
  return out.take();
}

}  // namespace inferbench::observe
