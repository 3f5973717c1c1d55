#include "compare/arm.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "config/request.hpp"
#include "config/sweep_files.hpp"
#include "config/upstream.hpp"
#include "options/node.hpp"
#include "sweep/layout.hpp"

namespace inferbench::compare {

namespace {

constexpr std::size_t words_before_arguments = 2;  // PROGRAM run

void add_setting(std::vector<std::string>& command, const std::string& text) {
  command.emplace_back("--set");
  command.push_back(text);
}

config::request read_run_files(const std::vector<std::string>& command,
                               const options::environment& env, const new_catalog& plugins) {
  return config::parse_run(std::span(command).subspan(words_before_arguments), env, *plugins());
}

/// The percentiles of the files and behind them those of the declared figures that are not among
/// them. Empty if the files name all percentiles of the declared figures.
std::vector<double> percentiles_with(std::span<const declared_figure> declared,
                                     const std::vector<double>& of_files) {
  constexpr double median = 50;  // every summary has it
  std::vector<double> out = of_files;
  for (const declared_figure& each : declared)
    if (const std::optional<double> asked = percentile_of(each);
        asked && *asked != median && std::ranges::find(out, *asked) == out.end())
      out.push_back(*asked);
  return out.size() == of_files.size() ? std::vector<double>() : out;
}

/// The digest of all settings except those that are random in each run.
std::string digest_of(std::vector<std::string> command, const options::environment& env,
                      const new_catalog& plugins) {
  add_setting(command, "dataset.salt=compared");
  add_setting(command, "dataset.request-id-prefix=compared");
  const config::request asked = read_run_files(command, env, plugins);
  options::node settings = options::node::table();
  settings.set("toml", options::node::of(asked.plan.toml));
  return config::digest_of_settings(settings);
}

}  // namespace

arm arm_of(std::string_view files, int number, const std::vector<std::string>& sets,
           std::span<const declared_figure> declared, const std::string& program,
           const options::environment& env, const new_catalog& plugins) {
  arm out;
  std::vector<std::string>& command = out.runs.bench_command;
  command = {program, "run"};
  std::error_code unknown;
  if (std::filesystem::exists(std::string(files), unknown))
    command.emplace_back(files);
  else
    for (const std::string_view each : base::split(files, ','))
      command.emplace_back(base::trim(each));
  const std::filesystem::path last = command.back();
  for (std::size_t i = words_before_arguments; i < command.size(); ++i)
    out.name += (i == words_before_arguments ? "" : ",") +
                base::one_line(std::filesystem::path(command[i]).filename().string());
  out.folder = std::to_string(number) + "-" + sweep::sanitised(last.stem().string());
  for (const std::string& each : sets)
    add_setting(command, each);
  config::request asked = read_run_files(command, env, plugins);
  if (asked.sweep)
    throw base::error(out.name + " describes an experiment",
                      "leave the table [sweep] out: compare --run makes the runs itself");
  if (asked.plan.num_runs > 1)
    throw base::error(out.name + ": run.num-runs is " + std::to_string(asked.plan.num_runs),
                      "leave it out: compare --run repeats the runs in blocks");
  if (const std::vector<double> percentiles =
          percentiles_with(declared, asked.plan.figures.percentiles);
      !percentiles.empty())
    add_setting(command, fmt::format("metrics.metric-percentiles={}", fmt::join(percentiles, ",")));
  out.digest = digest_of(command, env, plugins);
  out.warnings = std::move(asked.warnings);
  if (asked.plan.files.journal && *asked.plan.files.journal != "none")
    out.warnings.push_back(out.name + ": every run writes the journal " +
                           base::one_line(*asked.plan.files.journal) +
                           ", which then has the last run only");
  out.server = asked.plan.server;
  add_setting(command, "dataset.salt=auto");
  // The comparison shows its own progress, and the screen needs a terminal.
  add_setting(command, "run.live=none");
  out.runs.result_reporter = config::upstream::result_reporter;
  return out;
}

}  // namespace inferbench::compare
