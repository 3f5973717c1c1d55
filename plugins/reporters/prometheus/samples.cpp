#include "samples.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <vector>

#include "reporters/common/clean_text.hpp"
#include "reporters/common/facts.hpp"
#include "reporters/common/figures.hpp"

namespace reporters {
namespace {

struct known_unit {
  std::string_view unit;
  std::string_view ending;
  double factor;
};
// Names end with the base unit: https://prometheus.io/docs/practices/naming/
constexpr std::array known_units{
    known_unit{"ms", "_seconds", 1e-3},
    known_unit{"s", "_seconds", 1},
    known_unit{"%", "_ratio", 1e-2},
    known_unit{"token", "_tokens", 1},
    known_unit{"req/s", "_requests_per_second", 1},
    known_unit{"input/s", "_inputs_per_second", 1},
    known_unit{"token/s", "_tokens_per_second", 1},
    known_unit{"event/s", "_events_per_second", 1},
};

std::string quantile_label(double q) {
  std::string out;
  append_number(out, std::strtod(percentile_name(q).c_str(), nullptr) / 100);
  return out;
}

void add_summary(exposition& out, const ifb_metric& m, const base_unit& as) {
  out.metric(as.name, "summary", std::string(m.title) + ": " + m.help);
  std::vector<std::string> added;
  const auto add = [&](double q, double value) {
    const std::string label = quantile_label(q);
    if (std::ranges::find(added, label) != added.end()) return;
    added.push_back(label);
    // Without a value there is no quantile, as in the client libraries of Prometheus.
    out.sample("", {{"quantile", label}},
               m.count == 0 ? std::numeric_limits<double>::quiet_NaN() : value * as.factor);
  };
  if (has(m, IFB_METRIC_SUMMARY)) add(0.5, m.median);
  for (const ifb_quantile& each : ifb::quantiles_of(m))
    add(each.q, each.value);
  out.sample("_sum", {}, m.value * static_cast<double>(m.count) * as.factor);
  out.sample("_count", {}, static_cast<double>(m.count));
}

/// Adds a gauge with a statistic of a summary, "inferbench_ttft_min_seconds".
void add_statistic(exposition& out, const ifb_metric& m, std::string_view statistic, double value) {
  const base_unit as = in_base_unit(std::string(m.name) + "_" + std::string(statistic), m.unit);
  out.metric(as.name, "gauge", std::string(m.title) + ", " + std::string(statistic));
  out.sample(value * as.factor);
}

void add_figure(exposition& out, const ifb_metric& m) {
  const base_unit as = in_base_unit(m.name, m.unit);
  if (!has(m, IFB_METRIC_SUMMARY) && m.count == 0) {
    out.metric(as.name, "gauge", std::string(m.title) + ": " + m.help);
    out.sample(m.value * as.factor);
    return;
  }
  add_summary(out, m, as);
  if (!has(m, IFB_METRIC_SUMMARY) || m.count == 0) return;
  add_statistic(out, m, "min", m.minimum);
  add_statistic(out, m, "max", m.maximum);
  add_statistic(out, m, "stddev", m.deviation);
}

void add_goals(exposition& out, const json_value& facts) {
  const std::vector<goal_result> goals = goals_of(facts);
  if (goals.empty()) return;
  const auto each_goal = [&](const char* name, const char* help, auto&& value) {
    out.metric(name, "gauge", help);
    for (const goal_result& goal : goals)
      out.sample("", {{"goal", std::string(goal.goal)}}, value(goal) ? 1 : 0);
  };
  each_goal("inferbench_goal_passed", "Whether the figure passed its goal.",
            [](const goal_result& goal) { return goal.passed; });
  each_goal("inferbench_goal_certain", "Whether the sample is large enough to be certain.",
            [](const goal_result& goal) { return goal.certain; });
}

/// Adds the bounds of the fact `certainty`, whose figures are in ms.
void add_bounds(exposition& out, const json_value& facts) {
  const json_value* figures = find(find(facts, "certainty"), "figures");
  if (figures == nullptr || !figures->IsObject()) return;
  bool begun = false;
  for (const auto& [name, figure] : figures->GetObject()) {
    const json_value* all = find(figure, "percentiles");
    if (all == nullptr || !all->IsArray()) continue;
    for (const json_value& each : all->GetArray()) {
      const json_value* p = find(each, "percentile");
      const json_value* bound = find(each, "bound");
      if (p == nullptr || !p->IsNumber() || bound == nullptr || !bound->IsNumber()) continue;
      if (!begun)
        out.metric("inferbench_certified_bound_seconds", "gauge",
                   "Upper bound of the true percentile.");
      begun = true;
      out.sample("",
                 {{"figure", std::string(text_of(&name))},
                  {"quantile", quantile_label(p->GetDouble() / 100)}},
                 bound->GetDouble() * 1e-3);
    }
  }
}

void add_verdict(exposition& out, const json_value& facts) {
  const std::string_view verdict = client_verdict(facts);
  if (verdict.empty()) return;
  out.metric("inferbench_client_verdict", "gauge",
             "Whether the client kept up: 1 for the verdict of the run, 0 for all others.");
  for (const std::string_view each : {"VALID", "SUSPECT", "INVALID"})
    out.sample("", {{"verdict", std::string(each)}}, each == verdict ? 1 : 0);
}

}  // namespace

base_unit in_base_unit(std::string_view figure, std::string_view unit) {
  std::string name(figure);
  const auto known = std::ranges::find(known_units, unit, &known_unit::unit);
  const bool is_rate = name.ends_with("_per_s");
  if (unit == "ms" && name.ends_with("_ms")) name.resize(name.size() - 3);
  if (is_rate) name += "econd";
  base_unit out{"inferbench_" + metric_name(name), 1};
  if (known == known_units.end()) return out;
  out.factor = known->factor;
  if (!is_rate && !out.name.ends_with(known->ending)) out.name += known->ending;
  return out;
}

void add_figures(exposition& out, ifb::strided<ifb_metric> figures) {
  std::vector<std::string> added;  // a name may appear only once in the file
  for (const ifb_metric& m : figures) {
    std::string name = in_base_unit(m.name, m.unit).name;
    if (std::ranges::find(added, name) != added.end()) continue;
    added.push_back(std::move(name));
    add_figure(out, m);
  }
}

void add_facts(exposition& out, const json_value& facts) {
  const json_value* accounting = find(facts, "accounting");
  if (accounting != nullptr && accounting->IsObject()) {
    out.metric("inferbench_requests", "gauge",
               "Requests by state: planned = sent + never_sent, sent = ok + failed + cancelled.");
    for (const char* state : {"planned", "sent", "never_sent", "ok", "failed", "cancelled"})
      if (const auto number = accounted(facts, state))
        out.sample("", {{"state", state}}, static_cast<double>(*number));
  }
  if (const auto failures = failures_of(facts); !failures.empty()) {
    // Kinds that differ only in their message are one sample: a label must not hold free text.
    std::vector<std::pair<prometheus_labels, double>> kinds;
    for (const failure_kind& each : failures) {
      prometheus_labels labels{{"class", std::string(each.name)},
                               {"http_status", std::to_string(each.http_status)}};
      const auto same = std::ranges::find(kinds, labels, [](const auto& k) { return k.first; });
      if (same == kinds.end())
        kinds.emplace_back(std::move(labels), static_cast<double>(each.count));
      else
        same->second += static_cast<double>(each.count);
    }
    out.metric("inferbench_errors", "gauge", "Failed requests by class and HTTP status.");
    for (const auto& [labels, count] : kinds)
      out.sample("", labels, count);
  }
  add_goals(out, facts);
  add_bounds(out, facts);
  add_verdict(out, facts);
}

void add_times(exposition& out, std::int64_t started_unix_ns, std::int64_t finished_unix_ns,
               bool interrupted) {
  const auto seconds = [](std::int64_t ns) { return static_cast<double>(ns) / 1e9; };
  out.metric("inferbench_run_start_time_seconds", "gauge", "Begin of the traffic, Unix time.");
  out.sample(seconds(started_unix_ns));
  if (finished_unix_ns != 0) {
    out.metric("inferbench_run_end_time_seconds", "gauge", "End of the run, Unix time.");
    out.sample(seconds(finished_unix_ns));
  }
  out.metric("inferbench_run_finished", "gauge", "0 while the run goes on, then 1.");
  out.sample(finished_unix_ns != 0 ? 1 : 0);
  out.metric("inferbench_run_interrupted", "gauge", "Whether the run was stopped before its end.");
  out.sample(interrupted ? 1 : 0);
}

}  // namespace reporters
