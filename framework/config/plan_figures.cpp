#include "config/plan_figures.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/text.hpp"
#include "metrics/goal.hpp"

namespace inferbench::config {

namespace {

void fill_steady_state(ifb::steady_state_rule& out, const key_values& values) {
  out.wanted = values.on("metrics.steady-state");
  out.threshold = values.at("metrics.steady-state-threshold").number;
  if (const options::option_value& window = values.at("metrics.steady-state-min-window");
      window.is_set)
    out.min_window_ns = static_cast<std::uint64_t>(window.integer);
}

void fill_metrics(figures& out, const key_values& values) {
  out.bounded = values.at("metrics.summary").text == "bounded";
  out.cached_tokens = values.on("metrics.report-cached-tokens");
  out.strict_answers = values.on("metrics.strict-answers");
  fill_steady_state(out.steady_state, values);
  out.selected = values.at("metrics.percentile-metrics").list;
  for (const std::string& goal : values.at("thresholds.goals").list)
    out.thresholds.push_back(metrics::parse_goal(goal).text());
  out.thresholds_certain = values.on("thresholds.certain");
  for (const std::string& p : values.at("metrics.metric-percentiles").list)
    out.percentiles.push_back(base::parse_float(p).value_or(0));
  for (const std::string& goal : values.at("metrics.goodput").list) {
    const auto colon = goal.find(':');
    out.goodput.emplace_back(goal.substr(0, colon),
                             base::parse_float(goal.substr(colon + 1)).value_or(0));
  }
}

// The results also have the percentiles of the summary, because it is made from the same figures.
void add_percentile(double percentile, plan& out) {
  for (std::vector<double>* list : {&out.summary_percentiles, &out.figures.percentiles})
    if (std::ranges::find(*list, percentile) == list->end()) list->push_back(percentile);
}

void fill_summary(plan& out, const key_values& values) {
  // The median and the 90th percentile are always columns of the summary.
  for (const double p : {50.0, 90.0})
    add_percentile(p, out);
  for (const std::string& text : values.at("metrics.sweep-summary-percentiles").list)
    add_percentile(base::parse_float(text).value_or(0), out);
}

void fill_observe(observing& out, const key_values& values) {
  out.wanted = values.at("observe.urls").is_set;
  out.urls = values.at("observe.urls").list;
  for (const std::string& item : values.at("observe.names").list)
    for (const std::string_view name : base::split(item, ','))
      if (!base::trim(name).empty()) out.names.emplace_back(base::trim(name));
  out.power = values.on("observe.power");
  out.interval_ns = static_cast<std::uint64_t>(values.at("observe.interval").integer);
}

}  // namespace

void fill_figures(plan& out, const key_values& values) {
  fill_metrics(out.figures, values);
  if (!out.points.empty()) fill_summary(out, values);
  fill_observe(out.observe, values);
}

}  // namespace inferbench::config
