#include "experiment/startup_figures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "experiment/result_numbers.hpp"
#include "metrics/table.hpp"

namespace inferbench::experiment {

namespace {

using ifb::find;
using ifb::json_value;

constexpr double unknown_number = std::numeric_limits<double>::quiet_NaN();

/// A row for the times that upstream's result has in the member KEY_times.
struct startup_row {
  const char* key;
  const char* title;
  const char* label;
  const char* help;
};

constexpr std::array startup_rows{
    startup_row{"cold_startup", "Cold Start-up Time", "Cold start",
                "Time until the engine or the server is ready, with empty caches."},
    startup_row{"cold_compilation", "Cold Compilation Time", "Cold compilation",
                "Time of compilation that the engine reports for a start with empty caches."},
    startup_row{"cold_encoder_compilation", "Cold Encoder Compilation Time",
                "Cold encoder compilation",
                "Time in which a start with empty caches compiles the encoder, as the engine "
                "reports it."},
    startup_row{"warm_startup", "Warm Start-up Time", "Warm start",
                "Time until the engine or the server is ready, with the caches of earlier starts."},
    startup_row{"warm_compilation", "Warm Compilation Time", "Warm compilation",
                "Time of compilation that the engine reports for a start with the caches of "
                "earlier starts."},
    startup_row{"warm_encoder_compilation", "Warm Encoder Compilation Time",
                "Warm encoder compilation",
                "Time in which a start with the caches of earlier starts compiles the encoder, as "
                "the engine reports it."},
};

struct start_state {
  std::string_view name, title, caches;
};
constexpr std::array start_states{
    start_state{"cold", "Cold", "with empty caches"},
    start_state{"warm", "Warm", "with the caches of earlier starts"},
};

std::vector<double> times_in(const json_value* list) {
  std::vector<double> out;
  if (list == nullptr || !list->IsArray()) return out;
  for (const json_value& each : list->GetArray())
    if (const auto time = number_in_result(&each); time && std::isfinite(*time))
      out.push_back(*time);
  return out;
}

/// The percentiles of the table and their values.
void set_stated_quantiles(startup_figure& of, const json_value* table) {
  if (table == nullptr || !table->IsObject()) return;
  for (const auto& member : table->GetObject()) {
    const auto percentile = percentile_in_result(ifb::text_of(&member.name));
    const auto value = number_in_result(&member.value);
    if (!percentile || !value ||
        std::ranges::find(of.percentiles, *percentile) != of.percentiles.end())
      continue;
    of.percentiles.push_back(*percentile);
    of.values.quantiles.push_back(*value);
  }
}

/// The stated values, if the result does not have the times behind them.
void set_stated_values(startup_figure& of, double mean) {
  of.values.count = 1;
  of.values.mean = mean;
  of.values.deviation = of.values.minimum = of.values.maximum = unknown_number;
  const auto middle = std::ranges::find(of.percentiles, 50);
  of.values.median =
      middle == of.percentiles.end()
          ? unknown_number
          : of.values.quantiles[static_cast<std::size_t>(middle - of.percentiles.begin())];
}

/// Returns false if the result has neither a mean nor a time.
bool set_values(startup_figure& of, const json_value* stated_mean, const json_value* stated_times,
                const json_value* percentiles) {
  set_stated_quantiles(of, percentiles);
  const auto mean = number_in_result(stated_mean);
  std::vector<double> times = times_in(stated_times);
  if (times.empty()) {
    if (mean) set_stated_values(of, *mean);
    return mean.has_value();
  }
  of.values = metrics::describe(times, of.percentiles);
  if (mean) of.values.mean = *mean;
  return true;
}

void add_row(std::vector<startup_figure>& to, const startup_row& row, const json_value& result) {
  const std::string key = row.key;
  startup_figure out{key + "_time", row.title, row.label, row.help, true, {}, {}};
  if (set_values(out, find(result, "avg_" + key + "_time"), find(result, key + "_times"),
                 find(result, key + "_percentiles")))
    to.push_back(std::move(out));
}

void add_phase(std::vector<startup_figure>& to, const json_value& phase) {
  const auto state =
      std::ranges::find(start_states, ifb::text_of(find(&phase, "state")), &start_state::name);
  const std::string name = base::one_line(ifb::text_of(find(&phase, "name")));
  if (state == start_states.end() || name.empty()) return;
  std::string words = name;
  std::ranges::replace(words, '_', ' ');
  startup_figure out;
  out.name = std::string(state->name) + "_phase_" + name;
  out.title = std::string(state->title) + " Start: " + words;
  out.label = std::string(state->title) + " start, " + words;
  out.help = name == "total" ? "Time of all phases of a start " + std::string(state->caches) + "."
                             : "Time of the phase \"" + words + "\" of a start " +
                                   std::string(state->caches) + ".";
  if (std::ranges::find(to, out.name, &startup_figure::name) != to.end()) return;
  if (set_values(out, find(&phase, "mean_s"), find(&phase, "times_s"),
                 find(&phase, "percentiles_s")))
    to.push_back(std::move(out));
}

}  // namespace

std::vector<startup_figure> startup_figures_in(const json_value& result) {
  std::vector<startup_figure> out;
  for (const startup_row& each : startup_rows)
    add_row(out, each, result);
  if (out.empty()) return out;
  const json_value* const phases = find(find(result, "inferbench"), "phases");
  if (phases != nullptr && phases->IsArray())
    for (const json_value& each : phases->GetArray())
      add_phase(out, each);
  return out;
}

void add_startup_figure(metrics::report& to, const startup_figure& figure) {
  // The computation of a row and the runs that have it matter only while requests are measured.
  const metrics::definition row{
      .id = metrics::metric::count,
      .name = figure.name.c_str(),
      .unit = "s",
      .title = figure.title.c_str(),
      .label = figure.label.c_str(),
      .help = figure.help.c_str(),
      .flags = IFB_METRIC_SUMMARY | (figure.upstream ? std::uint32_t{IFB_METRIC_UPSTREAM} : 0U),
      .in = nullptr,
      .how = metrics::of_context{},
      .shown = metrics::printed::nothing,
  };
  to.add(row, figure.values, figure.percentiles, figure.upstream);
}

startup_moments last_cold_start_in(const json_value& result) {
  startup_moments out;
  const json_value* const phases =
      find(find(find(result, "inferbench"), "last_cold_start"), "phases");
  if (phases == nullptr || !phases->IsArray()) return out;
  for (const json_value& each : phases->GetArray()) {
    const std::int64_t start = ifb::integer_of(find(&each, "start_ns"));
    const std::int64_t end = ifb::integer_of(find(&each, "end_ns"));
    if (start <= 0 || end < start) continue;
    if (out.began_unix_ns == 0 || start < out.began_unix_ns) out.began_unix_ns = start;
    out.ended_unix_ns = std::max(out.ended_unix_ns, end);
  }
  return out;
}

}  // namespace inferbench::experiment
