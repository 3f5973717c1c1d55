#include "compare/measured_run.hpp"

#include <cmath>
#include <cstddef>
#include <fstream>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "experiment/experiment.hpp"
#include "experiment/result_file.hpp"
#include "experiment/result_run.hpp"
#include "metrics/report.hpp"
#include "records/journal_reader.hpp"
#include "records/wire.hpp"
#include "run/replayed_run.hpp"
#include "run/resolved.hpp"

namespace inferbench::compare {

namespace {

using ifb::find;
using ifb::find_path;
using ifb::json_value;

/// The figures of the benchmarks without a server that are numbers at the top of their results.
constexpr const char* offline_numbers[] = {"requests_per_second", "tokens_per_second",
                                           "elapsed_time", "avg_latency"};

std::optional<double> number_at(const json_value* of) {
  if (of == nullptr || !of->IsNumber() || std::isnan(of->GetDouble())) return std::nullopt;
  return of->GetDouble();
}

std::optional<double> figure_in(const figure_values& from, std::string_view name) {
  const auto at = from.find(name);
  return at == from.end() ? std::nullopt : std::optional(at->second);
}

/// Copies the figures and facts of a run with a server.
void add_figures(measured_run& to, const metrics::report& from) {
  to.figures = values_of(from.metrics());
  to.completed = figure_in(to.figures, "completed");
  to.failed = figure_in(to.figures, "failed");
  ifb::json_document facts;
  if (ifb::parse_json(from.facts_json(), facts) || !facts.IsObject()) return;
  // The figure also counts the requests that were cancelled.
  if (const auto failed = number_at(find_path(facts, "accounting.failed"))) to.failed = failed;
  to.verdict = ifb::text_of(find(find(facts, "client"), "verdict"));
  to.cached_share = number_at(find_path(facts, "prefix_cache.hit_rate"));
  if (!to.cached_share)
    to.cached_share = number_at(find_path(facts, "prefix_cache.observed_share"));
}

void add_offline_figures(measured_run& to, const json_value& result) {
  for (const char* name : offline_numbers)
    if (const auto value = number_at(find(result, name))) to.figures[name] = *value;
  const json_value* percentiles = find(result, "percentiles");
  if (percentiles == nullptr || !percentiles->IsObject()) return;
  for (const auto& [key, value] : percentiles->GetObject()) {
    const auto percentile = base::parse_float(ifb::text_of(&key));
    const auto seconds = number_at(&value);
    if (!percentile || !(*percentile >= 0 && *percentile <= 100) || !seconds) continue;
    to.figures[figure_of("latency.p" + std::string(ifb::text_of(&key))).name] = *seconds;
  }
}

std::optional<block_place> place_in(const json_value& result) {
  constexpr std::int64_t most_blocks = 1'000'000;
  const auto number = [&](const char* name, std::int64_t most) -> std::optional<std::size_t> {
    const json_value* value = find(result, name);
    if (value == nullptr || !value->IsInt64()) return std::nullopt;
    const std::int64_t out = value->GetInt64();
    return out >= 0 && out <= most ? std::optional(static_cast<std::size_t>(out)) : std::nullopt;
  };
  const std::string_view id = ifb::text_of(find(result, "compare_id"));
  const auto arm = number("compare_arm", 1);
  const auto block = number("compare_block", most_blocks);
  const auto of_block = number("compare_run", 1);
  if (id.empty() || !arm || !block || !of_block) return std::nullopt;
  return block_place{std::string(id), *arm, *block, *of_block};
}

measured_run run_of_result(const std::filesystem::path& file) {
  measured_run out;
  out.file = file;
  const std::shared_ptr<const ifb::json_document> result = experiment::read_result(file);
  out.result = result;
  const auto kind = benchmark_of(*result);
  if (!kind)
    throw base::error("the file is not the result of a benchmark",
                      "name files that inferbench or vllm bench has written with --save-result or "
                      "--output-json",
                      {file.string(), 0, 0});
  out.of = *kind;
  out.place = place_in(*result);
  const experiment::finished_run finished{{}, {}, 0, file, result};
  const experiment::result_run about = experiment::result_run_of(finished);
  out.settings = settings_of(about.config_json, about.environment_json, result.get());
  out.name = ifb::text_of(find_path(*result, "inferbench.run"));
  out.interrupted = about.interrupted;
  out.started_unix_ns = about.started_unix_ns;
  out.finished_unix_ns = about.finished_unix_ns;
  if (out.of == benchmark::server || out.of == benchmark::pooling)
    add_figures(out, about.figures);
  else
    add_offline_figures(out, *result);
  return out;
}

/// The goals that make the replay compute the percentiles of the comparison.
std::vector<std::string> goals_for(std::span<const declared_figure> declared) {
  std::vector<std::string> out;
  for (const declared_figure& each : declared)
    if (percentile_of(each)) out.push_back(each.name + ">=0");
  return out;
}

measured_run run_of_journal(const std::filesystem::path& file,
                            std::span<const declared_figure> declared, base::log& log) {
  measured_run out;
  out.file = file;
  records::journal_reader reader(file);
  records::run_information about = reader.run();
  if (std::vector<std::string> goals = goals_for(declared); !goals.empty())
    about.config_json = run::with_changes(about.config_json, {.goals = std::move(goals)});
  const run::results::final_result result = run::replay_run(reader, file, about, {}, log);
  if (run::description_from(about.config_json).pooling) out.of = benchmark::pooling;
  add_figures(out, result.figures);
  for (const metrics::goal_result& each : result.figures.goals())
    if (each.value && each.count.value_or(0) > 0)
      out.figures[each.figure + "." + each.statistic] = *each.value;
  out.settings = settings_of(about.config_json, about.environment_json, nullptr);
  out.name = about.name;
  out.interrupted = reader.interrupted();
  out.started_unix_ns = out.finished_unix_ns = about.started_unix_ns;
  if (reader.end()) out.finished_unix_ns = reader.end()->finished_unix_ns;
  return out;
}

}  // namespace

std::optional<double> measured_run::failed_share() const noexcept {
  if (!failed || !completed || !(*failed + *completed > 0)) return std::nullopt;
  return *failed / (*failed + *completed);
}

bool is_journal(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string begin(records::journal_magic.size(), '\0');
  return in.read(begin.data(), static_cast<std::streamsize>(begin.size())) &&
         begin == records::journal_magic;
}

std::optional<benchmark> benchmark_of(const json_value& result) {
  const auto has = [&](const char* name) {
    const json_value* value = find(result, name);
    return value != nullptr && value->IsNumber();
  };
  if (has("input_sequence_throughput")) return benchmark::pooling;
  if (has("request_throughput") || has("completed"))
    return has("output_throughput") || has("mean_ttft_ms") ? benchmark::server : benchmark::pooling;
  if (has("requests_per_second")) return benchmark::throughput;
  if (has("avg_latency")) return benchmark::latency;
  return std::nullopt;
}

measured_run read_run(const std::filesystem::path& file, std::span<const declared_figure> declared,
                      base::log& log) {
  return is_journal(file) ? run_of_journal(file, declared, log) : run_of_result(file);
}

}  // namespace inferbench::compare
