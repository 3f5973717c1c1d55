#include "experiment/result_run.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <inferbench/json_reader.hpp>
#include <inferbench/json_writer.hpp>
#include <inferbench/run_description_json.hpp>

#include "base/text.hpp"
#include "experiment/arrangement.hpp"
#include "experiment/result_numbers.hpp"
#include "metrics/statistics.hpp"
#include "metrics/table.hpp"
#include "plugin/instance.hpp"
#include "sweep/layout.hpp"

namespace inferbench::experiment {

namespace {

using ifb::find;
using ifb::json_value;

constexpr double not_stated = std::numeric_limits<double>::quiet_NaN();

/// These facts are members of the result itself in a file of this program.
constexpr std::array<const char*, 2> facts_beside{"rps_change_events", "steady_state"};
/// These facts are members of `inferbench`, beside `facts`.
constexpr std::array<const char*, 4> facts_of_ours{"certainty", "thresholds", "steady", "series"};

std::optional<std::string> text_in_result(const json_value* of) {
  if (of == nullptr || !of->IsString()) return std::nullopt;
  return std::string(ifb::text_of(of));
}

/// A member of `inferbench`.
const json_value* our(const json_value& result, const char* name) {
  return find(find(result, "inferbench"), name);
}

struct stated_summary {
  metrics::statistics values;
  std::vector<double> percentiles;
  bool selected = false;  // upstream's part of the result has it
};

void add_percentile(stated_summary& to, std::string_view text, const json_value& value) {
  const auto percentile = percentile_in_result(text);
  const auto number = number_in_result(&value);
  if (!percentile || !number ||
      std::ranges::find(to.percentiles, *percentile) != to.percentiles.end())
    return;
  to.percentiles.push_back(*percentile);
  to.values.quantiles.push_back(*number);
}

/// mean_ttft_ms, median_ttft_ms, std_ttft_ms, p99_ttft_ms.
std::optional<stated_summary> summary_of_upstream(const json_value& result,
                                                  const std::string& figure) {
  const auto number = [&](const char* statistic) {
    return number_in_result(find(result, statistic + figure + "_ms"));
  };
  const auto mean = number("mean_");
  if (!mean) return std::nullopt;
  stated_summary out;
  out.selected = true;
  out.values.mean = *mean;
  out.values.median = number("median_").value_or(not_stated);
  out.values.deviation = number("std_").value_or(not_stated);
  out.values.minimum = out.values.maximum = not_stated;
  const std::string ending = "_" + figure + "_ms";
  for (const auto& [key, value] : result.GetObject()) {
    const std::string_view name = ifb::text_of(&key);
    if (name.starts_with('p') && name.ends_with(ending) && name.size() > ending.size() + 1)
      add_percentile(out, name.substr(1, name.size() - ending.size() - 1), value);
  }
  const auto completed = number_in_result(find(result, "completed"));
  out.values.count = completed && *completed >= 1 && *completed < 1e15
                         ? static_cast<std::size_t>(*completed)
                         : std::size_t{out.values.mean > 0};
  // A result of this program states the count if it also states how certain the figure is.
  const json_value* certain = find(find(our(result, "certainty"), "figures"), figure);
  if (const json_value* count = find(certain, "count"); count != nullptr && count->IsUint64())
    out.values.count = count->GetUint64();
  return out;
}

/// The object of a summary in inferbench.metrics: {"count": 3, "mean": 1.5, ..., "p99": 2.0}.
std::optional<stated_summary> summary_of_ours(const json_value* from) {
  const auto number = [&](const char* statistic) {
    return number_in_result(find(from, statistic)).value_or(not_stated);
  };
  const json_value* count = find(from, "count");
  if (count == nullptr || !count->IsUint64() || !number_in_result(find(from, "mean")))
    return std::nullopt;
  stated_summary out;
  out.values.count = count->GetUint64();
  out.values.mean = number("mean");
  out.values.median = number("median");
  out.values.deviation = number("std");
  out.values.minimum = number("min");
  out.values.maximum = number("max");
  for (const auto& [key, value] : from->GetObject())
    if (const std::string_view name = ifb::text_of(&key); name.starts_with('p'))
      add_percentile(out, name.substr(1), value);
  return out;
}

void add_figures(metrics::report& to, const json_value& result) {
  const json_value* ours = our(result, "metrics");
  for (const metrics::definition& row : metrics::table()) {
    const json_value* of_ours = find(ours, row.name);
    if ((row.flags & IFB_METRIC_SUMMARY) == 0) {
      auto value = number_in_result(find(result, row.name));
      if (!value) value = number_in_result(of_ours);
      if (value) to.add(row, *value);
      continue;
    }
    auto found = summary_of_upstream(result, row.name);
    if (!found) found = summary_of_ours(of_ours);
    if (found) to.add(row, found->values, found->percentiles, found->selected);
  }
}

std::string facts_of_result(const json_value& result, bool of_starts) {
  ifb::json_writer out;
  out.begin_object();
  const auto add = [&](std::string_view name, const json_value* fact) {
    if (fact == nullptr) return;
    out.key(name);
    ifb::write(out, *fact);
  };
  for (const char* name : facts_beside)
    add(name, find(result, name));
  const json_value* facts = our(result, "facts");
  if (facts != nullptr && facts->IsObject())
    for (const auto& [name, fact] : facts->GetObject())
      add(ifb::text_of(&name), &fact);
  for (const char* name : facts_of_ours)
    add(name, our(result, name));
  if (of_starts) add("startup", find(result, "inferbench"));
  out.end_object();
  return out.take();
}

std::string environment_of(const json_value& result, bool of_starts) {
  const json_value* const environment = our(result, "environment");
  if (environment != nullptr && environment->IsObject()) return ifb::to_text(*environment);
  const json_value* const engine = our(result, "engine");  // its name and versions
  ifb::json_writer out;
  out.begin_object();
  if (of_starts && engine != nullptr && engine->IsString())
    out.member("engine", ifb::text_of(engine));
  out.end_object();
  return out.take();
}

ifb::run_description description_of_result(const json_value& result,
                                           const metrics::report& figures) {
  ifb::run_description out;
  const auto integer = [&](const char* name) -> std::optional<std::int64_t> {
    const json_value* value = find(result, name);
    if (value == nullptr || !value->IsInt64()) return std::nullopt;
    return value->GetInt64();
  };
  const auto number = [&](const char* name) { return number_in_result(find(result, name)); };
  out.backend = text_in_result(find(result, "backend")).value_or("");
  out.endpoint_type = text_in_result(find(result, "endpoint_type")).value_or(out.backend);
  if (out.backend.empty()) out.backend = out.endpoint_type;
  out.label = text_in_result(find(result, "label"));
  out.model_id = text_in_result(find(result, "model_id")).value_or("");
  out.tokenizer_id = text_in_result(find(result, "tokenizer_id"));
  out.tokenizer = out.tokenizer_id.has_value();
  out.num_prompts = integer("num_prompts").value_or(0);
  out.planned = out.num_prompts;
  if (const auto rate = number("request_rate"); rate && *rate > 0) out.request_rate = *rate;
  out.burstiness = number("burstiness").value_or(1);
  out.max_concurrency = integer("max_concurrency");
  if (const auto strategy = text_in_result(find(result, "ramp_up_strategy")))
    out.ramp_up = ifb::ramp_up{*strategy, number("ramp_up_start_rps").value_or(0),
                               number("ramp_up_end_rps").value_or(0)};
  out.pooling = find(result, "input_sequence_throughput") != nullptr;
  out.selected.clear();
  out.percentiles.clear();
  for (const ifb_metric& m : figures.metrics()) {
    if ((m.flags & IFB_METRIC_SELECTED) == 0) continue;
    out.selected.emplace_back(m.name);
    for (std::size_t i = 0; i < m.quantile_count; ++i)
      if (const double p =
              std::round(m.quantiles[i].q * 1e11) / 1e9;  // 99.9, and not 99.90000000000001
          std::ranges::none_of(out.percentiles, [&](double q) { return std::abs(q - p) < 1e-9; }))
        out.percentiles.push_back(p);
  }
  return out;
}

std::string config_of(const finished_run& from, const json_value& result,
                      const metrics::report& figures) {
  ifb::json_writer out;
  out.begin_object();
  const json_value* config = our(result, "config");
  if (config != nullptr && config->IsObject())
    for (const auto& [name, value] : config->GetObject()) {
      out.key(ifb::text_of(&name));
      ifb::write(out, value);
    }
  const auto add = [&](const char* name, const sweep::item& of) {
    if (of.empty()) return;
    out.key(name);
    out.raw(parameter_json(of));
  };
  add("serve_parameters", from.serve);
  add("bench_parameters", from.bench);
  out.key("resolved");
  ifb::write(out, description_of_result(result, figures));
  out.end_object();
  return out.take();
}

/// "20250101-120000", the local time at which the benchmark ended. nullopt for other texts.
std::optional<std::int64_t> unix_ns_of(std::string_view date) {
  constexpr std::string_view form = "00000000-000000";
  const auto same_kind = [](char c, char like) {
    return like == '-' ? c == '-' : c >= '0' && c <= '9';
  };
  if (!std::ranges::equal(date, form, same_kind)) return std::nullopt;
  const auto number = [&](std::size_t at, std::size_t count) {
    return static_cast<int>(base::parse_int(date.substr(at, count)).value_or(0));
  };
  std::tm local{};
  local.tm_year = number(0, 4) - 1900;
  local.tm_mon = number(4, 2) - 1;
  local.tm_mday = number(6, 2);
  local.tm_hour = number(9, 2);
  local.tm_min = number(11, 2);
  local.tm_sec = number(13, 2);
  local.tm_isdst = -1;
  const std::time_t seconds = std::mktime(&local);
  constexpr std::time_t last = std::numeric_limits<std::int64_t>::max() / 1'000'000'000;
  if (seconds < 0 || seconds >= last) return std::nullopt;
  return std::int64_t{seconds} * 1'000'000'000;
}

/// The time of the last change of the file, in nanoseconds since 1970; 0: not known.
std::int64_t written_unix_ns(const std::filesystem::path& file) {
  std::error_code unknown;
  const auto written = std::filesystem::last_write_time(file, unknown);
  if (unknown) return 0;
  const auto since = std::chrono::file_clock::to_sys(written).time_since_epoch();
  return std::max<std::int64_t>(std::chrono::nanoseconds(since).count(), 0);
}

void set_times_of_starts(result_run& to, const finished_run& from) {
  const startup_moments last = last_cold_start_in(*from.result);
  const std::int64_t written = written_unix_ns(from.file);
  to.started_unix_ns = last.began_unix_ns > 0 ? last.began_unix_ns : written;
  to.finished_unix_ns = std::max({written, last.ended_unix_ns, to.started_unix_ns});
}

void set_times(result_run& to, const finished_run& from) {
  if (!to.starts.empty()) return set_times_of_starts(to, from);
  const json_value& result = *from.result;
  double lasted_ns = number_in_result(find(result, "duration")).value_or(0) * 1e9;
  if (!(lasted_ns >= 0 && lasted_ns < 1e18)) lasted_ns = 0;
  const auto lasted = static_cast<std::int64_t>(lasted_ns);
  const json_value* clock = our(result, "started_ns");
  if (clock != nullptr && clock->IsUint64()) to.started_ns = clock->GetUint64();
  const std::int64_t started = ifb::integer_of(our(result, "started_unix_ns"));
  if (started > 0 && started < std::numeric_limits<std::int64_t>::max() - lasted) {
    to.started_unix_ns = started;
    to.finished_unix_ns = started + lasted;
  } else if (const auto ended = unix_ns_of(ifb::text_of(find(result, "date")))) {
    to.finished_unix_ns = *ended;
    to.started_unix_ns = std::max<std::int64_t>(*ended - lasted, 0);
  }
}

/// The name in the result of this program, otherwise the folder and the name of the file.
std::string name_of_run(const finished_run& from, const json_value& result) {
  if (const auto given = text_in_result(our(result, "run"));
      given && !given->empty() && given->find('/') == std::string::npos)
    return *given;
  const std::string folder = from.file.parent_path().filename().string();
  const std::string file = from.file.stem().string();
  return sweep::sanitised(folder.empty() ? file : folder + "-" + file);
}

}  // namespace

ifb_run result_run::run() const {
  ifb_run out{};
  out.struct_size = sizeof out;
  out.flags = IFB_RUN_REPLAYED;
  out.name = plugin::str(name);
  out.started_ns = started_ns;
  out.started_unix_ns = started_unix_ns;
  out.config_json = plugin::str(config_json);
  out.environment_json = plugin::str(environment_json);
  return out;
}

ifb_summary result_run::summary() const { return figures.summary(finished_unix_ns, interrupted); }

std::int64_t began_unix_ns(const finished_run& run) {
  result_run out;
  out.starts = startup_figures_in(*run.result);
  set_times(out, run);
  return out.started_unix_ns;
}

result_run result_run_of(const finished_run& from) {
  const json_value& result = *from.result;
  result_run out;
  out.name = name_of_run(from, result);
  add_figures(out.figures, result);
  out.starts = startup_figures_in(result);
  for (const startup_figure& each : out.starts)
    add_startup_figure(out.figures, each);
  out.figures.set_facts(facts_of_result(result, !out.starts.empty()));
  out.config_json = config_of(from, result, out.figures);
  out.environment_json = environment_of(result, !out.starts.empty());
  set_times(out, from);
  const json_value* interrupted = our(result, "interrupted");
  out.interrupted = interrupted != nullptr && interrupted->IsTrue();
  return out;
}

}  // namespace inferbench::experiment
