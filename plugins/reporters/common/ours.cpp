// Writes the member `inferbench` of a result file.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <inferbench/json_writer.hpp>

#include "result.hpp"

namespace reporters {
namespace {

/// These facts are members of the result itself.
constexpr std::array<std::string_view, 3> upstreams{"rps_change_events", "spec_decode",
                                                    "steady_state"};
/// These facts are members of `inferbench`, beside `facts`.
constexpr std::array<std::string_view, 4> lifted{"certainty", "thresholds", "steady", "series"};

bool is_in(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

void write_facts(ifb::json_writer& out, const json_value& facts) {
  out.begin_object();
  for (const auto& [name, fact] : facts.GetObject()) {
    if (is_in(upstreams, text_of(&name)) || is_in(lifted, text_of(&name))) continue;
    out.key(text_of(&name));
    write(out, fact);
  }
  out.end_object();
}

void write_metric(ifb::json_writer& out, const ifb_metric& m) {
  out.key(m.name);
  if (!has(m, IFB_METRIC_SUMMARY)) {
    if (has(m, IFB_METRIC_INTEGER))
      out.integer(std::llround(m.value));
    else
      out.number(m.value);
    return;
  }
  out.begin_object();
  out.member("unit", m.unit);
  out.member("count", m.count);
  out.member("mean", m.value);
  out.member("std", m.deviation);
  out.member("min", m.minimum);
  out.member("median", m.median);
  out.member("max", m.maximum);
  std::vector<std::string> written;  // the user may have requested a percentile twice
  for (const ifb_quantile& each : ifb::quantiles_of(m)) {
    const std::string name = "p" + percentile_name(each.q);
    if (std::ranges::find(written, name) != written.end()) continue;
    out.member(name, each.value);
    written.push_back(name);
  }
  out.end_object();
}

}  // namespace

void add_ours(document& out, const origin& from, const ifb_summary& summary, const figures& found,
              const json_value& facts) {
  const auto value_or_null = [](std::string_view json) { return json.empty() ? "null" : json; };
  ifb::json_writer ours;
  ours.begin_object();
  ours.member("version", from.host_version);
  ours.member("run", from.run);
  ours.member("started_ns", from.started_ns);
  ours.member("started_unix_ns", from.started_unix_ns);
  ours.member("interrupted", (summary.flags & IFB_SUMMARY_INTERRUPTED) != 0);
  ours.key("facts");
  write_facts(ours, facts);
  for (const std::string_view name : lifted) {
    const json_value* fact = find(facts, name);
    if (fact == nullptr) continue;
    ours.key(name);
    write(ours, *fact);
  }
  ours.key("metrics");
  ours.begin_object();
  // The list also contains upstream's summaries that upstream's part of the result leaves out:
  // summaries that were not selected, and TTFT, TPOT and ITL of a run without a tokenizer.
  for (const ifb_metric& m : found.all())
    if (!has(m, IFB_METRIC_UPSTREAM) || (has(m, IFB_METRIC_SUMMARY) && !selected(m)))
      write_metric(ours, m);
  ours.end_object();
  ours.key("config");
  write(ours, plan_of(from.config_json));
  ours.key("environment");
  ours.raw(value_or_null(from.environment_json));
  ours.end_object();
  out.set_json("inferbench", ours.take());
}

}  // namespace reporters
