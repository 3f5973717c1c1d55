#include "startup/phase_report.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "confidence/repetitions.hpp"
#include "offline/times.hpp"

namespace inferbench::startup {

namespace {

using options::node;

void add_state(std::vector<phase_series>& out, const std::string& state,
               const std::vector<start_sample>& samples) {
  const auto first = out.size();
  const auto series = [&](const std::string& name) -> phase_series& {
    for (std::size_t i = first; i < out.size(); ++i)
      if (out[i].name == name) return out[i];
    return out.emplace_back(phase_series{state, name, {}, 0});
  };
  for (const start_sample& sample : samples)
    for (const start_phase& phase : sample.phases) {
      phase_series& into = series(phase.name);
      if (phase.missing) continue;
      into.times_s.push_back(phase.duration_s());
      into.uncertainty_s = std::max(into.uncertainty_s, phase.uncertainty_s);
    }
  if (out.size() - first < 2) return;
  phase_series total{state, "total", {}, 0};
  for (const start_sample& sample : samples)
    if (const std::optional<double> time = whole_time(sample)) {
      total.times_s.push_back(*time);
      // The last event of the whole time may be the one that was seen late.
      total.uncertainty_s = std::max({total.uncertainty_s, sample.phases.front().uncertainty_s,
                                      sample.phases.back().uncertainty_s});
    }
  out.push_back(std::move(total));
}

std::string spaced(std::string name) {
  std::ranges::replace(name, '_', ' ');
  return name;
}

double percentile_in(const offline::time_statistics& of, double wanted) {
  const auto found = std::ranges::find(of.percentiles, wanted, &std::pair<double, double>::first);
  return found == of.percentiles.end() ? 0 : found->second;
}

std::string row_name(const phase_series& of) { return of.state + " " + spaced(of.name); }

std::string row_of(const phase_series& of, std::size_t width) {
  const std::string name = row_name(of);
  if (of.times_s.empty()) return fmt::format("{:<{}} {:>3}   not measured\n", name, width, 0);
  const offline::time_statistics found = offline::statistics_of(of.times_s);
  const confidence::repeated_mean mean = confidence::mean_of_repetitions(of.times_s);
  const std::string half = mean.half_width ? fmt::format("{:.3f}", *mean.half_width) : "-";
  return fmt::format("{:<{}} {:>3} {:>9.3f} {:>8} {:>8.3f} {:>9.3f} {:>9.3f} {:>9.3f} {:>8.3f}\n",
                     name, width, of.times_s.size(), found.mean, half, found.deviation,
                     found.median, percentile_in(found, 90), percentile_in(found, 99),
                     of.uncertainty_s);
}

node node_of(const phase_series& of) {
  node out = node::table();
  out.set("state", node::of(of.state));
  out.set("name", node::of(of.name));
  out.set("count", node::of(static_cast<std::int64_t>(of.times_s.size())));
  out.set("times_s", offline::list_of(of.times_s));
  if (of.times_s.empty()) return out;
  const offline::time_statistics found = offline::statistics_of(of.times_s);
  const confidence::repeated_mean mean = confidence::mean_of_repetitions(of.times_s);
  out.set("mean_s", node::of(found.mean));
  node interval;
  if (mean.half_width) {
    interval = node::list();
    interval.items = {node::of(mean.mean - *mean.half_width),
                      node::of(mean.mean + *mean.half_width)};
  }
  out.set("interval_s", std::move(interval));
  out.set("std_s", node::of(found.deviation));
  out.set("percentiles_s", offline::percentile_table(found));
  out.set("uncertainty_s", node::of(of.uncertainty_s));
  return out;
}

node variables_of(const startup_outcome& of) {
  node out = node::list();
  for (const std::string& each : of.variables) {
    node variable = node::table();
    variable.set("name", node::of(each));
    variable.set("used", node::of(std::ranges::find(of.used, each) != of.used.end()));
    out.items.push_back(std::move(variable));
  }
  return out;
}

}  // namespace

std::vector<phase_series> series_of_phases(const startup_outcome& of) {
  std::vector<phase_series> out;
  add_state(out, "cold", of.cold);
  add_state(out, "warm", of.warm);
  return out;
}

std::string phase_text(const startup_outcome& of) {
  const std::vector<phase_series> all = series_of_phases(of);
  if (all.empty()) return {};
  std::string out = fmt::format(
      "\nPHASES OF THE STARTS in seconds. +-: {:.0f} % interval of the mean of n starts; Late: "
      "the\n"
      "longest time by which begin and end of the phase were seen late.\n",
      confidence::repetition_level * 100);
  std::size_t width = 20;
  for (const phase_series& each : all)
    width = std::max(width, row_name(each).size());
  out += fmt::format("{:<{}} {:>3} {:>9} {:>8} {:>8} {:>9} {:>9} {:>9} {:>8}\n", "", width, "n",
                     "Mean", "+-", "Std", "P50", "P90", "P99", "Late");
  for (const phase_series& each : all)
    out += row_of(each, width);
  return out;
}

node phase_list(const start_sample& of) {
  node phases = node::list();
  double total = 0;
  std::optional<std::int64_t> begin;
  std::int64_t end = 0;
  for (const start_phase& each : of.phases) {
    node phase = node::table();
    phase.set("name", node::of(each.name));
    phase.set("duration_s", each.missing ? node() : node::of(each.duration_s()));
    phase.set("start_ns", each.missing ? node() : node::of(each.start_ns));
    phase.set("end_ns", each.missing ? node() : node::of(each.end_ns));
    phase.set("missing", node::of(each.missing));
    phases.items.push_back(std::move(phase));
    if (each.missing) continue;
    total += each.duration_s();
    if (!begin) begin = each.start_ns;
    end = each.end_ns;
  }
  node out = node::table();
  out.set("phase_list_version", node::of(std::int64_t{1}));
  out.set("phases", std::move(phases));
  out.set("total_phase_time_s", node::of(total));
  out.set("wall_clock_startup_s",
          node::of(begin ? static_cast<double>(end - *begin) / 1e9 : of.startup_s));
  return out;
}

node phase_json(const startup_outcome& of, node about) {
  about.set("cold_variables", variables_of(of));
  node phases = node::list();
  for (const phase_series& each : series_of_phases(of))
    phases.items.push_back(node_of(each));
  if (!phases.items.empty()) about.set("confidence", node::of(confidence::repetition_level));
  about.set("phases", std::move(phases));
  if (!of.cold.empty() && !of.cold.back().phases.empty())
    about.set("last_cold_start", phase_list(of.cold.back()));
  return about;
}

}  // namespace inferbench::startup
