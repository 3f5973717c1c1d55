// `inferbench compare`: which of several groups of runs is faster.
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "compare/arm.hpp"
#include "compare/arm_servers.hpp"
#include "compare/compare_request.hpp"
#include "compare/group_comparison.hpp"
#include "compare/pair_folder.hpp"
#include "compare/paired_runs.hpp"
#include "compare/report_groups.hpp"
#include "compare/run_groups.hpp"
#include "comparison/forecast.hpp"
#include "config/catalog.hpp"
#include "config/table_reporters.hpp"
#include "experiment/durable_file.hpp"
#include "options/environment.hpp"
#include "run/interrupt.hpp"
#include "run/output_places.hpp"
#include "sweep/request.hpp"

namespace inferbench::cli {

namespace {

namespace fs = std::filesystem;

/// The runs that the program compares.
struct compared_runs {
  std::vector<compare::run_group> groups;
  std::vector<std::string> notes;
  std::string resume_hint;  // not empty: the user has interrupted the runs
};

/// This program, and not another that the search path finds.
std::string own_program() {
  std::error_code unknown;
  const fs::path own = fs::read_symlink("/proc/self/exe", unknown);
  return unknown ? "inferbench" : own.string();
}

fs::path folder_of(const compare::compare_request& asked) {
  if (!asked.result_dir.empty()) return asked.result_dir;
  return fs::path("results") / ("compare-" + sweep::experiment_name(std::time(nullptr)));
}

std::array<compare::arm, 2> arms_of(const compare::compare_request& asked,
                                    const options::environment& env) {
  const std::string program = own_program();
  const auto arm = [&](std::size_t index) {
    return compare::arm_of(asked.arguments.at(index), static_cast<int>(index) + 1, asked.sets,
                           asked.declared, program, env,
                           [] { return std::make_unique<config::installed_catalog>(); });
  };
  std::array<compare::arm, 2> out{arm(0), arm(1)};
  if (out[0].name == out[1].name)
    for (std::size_t i = 0; i < out.size(); ++i)
      out.at(i).name = base::one_line(asked.arguments.at(i));
  return out;
}

compare::comparison_rules rules_of(const compare::compare_request& asked) {
  compare::comparison_rules out;
  out.declared = asked.declared;
  out.same_within = asked.same_within;
  if (!asked.makes_runs) out.blocks = asked.blocks;
  return out;
}

std::vector<compare::run_group> groups_of(const std::array<compare::arm, 2>& arms,
                                          const compare::pair_outcome& made,
                                          const compare::compare_request& asked, base::log& log) {
  std::vector<compare::run_group> out;
  for (std::size_t i = 0; i < arms.size(); ++i)
    if (!made.files.at(i).empty())
      out.push_back(compare::read_group(arms.at(i).name, made.files.at(i), asked.declared, log));
  // Both arms may be the same files, to see that the comparison finds nothing.
  if (out.size() == arms.size() && out[0].name == out[1].name) out[1].name += " (2)";
  return out;
}

/// Says what the planned blocks can find, with the deviation of the blocks so far.
void print_forecast(const std::array<compare::arm, 2>& arms, const compare::pair_outcome& made,
                    std::size_t blocks, const compare::compare_request& asked, base::log& log) {
  const compare::group_comparison found =
      compare::compare_groups(groups_of(arms, made, asked, log), rules_of(asked));
  const comparison::candidate_result& candidate = found.result.candidates.front();
  for (std::size_t i = 0; i < candidate.metrics.size(); ++i)
    if (candidate.metrics[i].deviation)
      cli::print("{}\n", comparison::forecast_line(found.result.metrics[i].title,
                                                   *candidate.metrics[i].deviation,
                                                   candidate.blocks, blocks, found.result.tests(),
                                                   {.same_within = asked.same_within}));
}

compared_runs made_runs(const compare::compare_request& asked, const fs::path& folder,
                        const options::environment& env, base::log& log) {
  const std::array<compare::arm, 2> arms = arms_of(asked, env);
  for (const compare::arm& each : arms)
    for (const std::string& line : each.warnings)
      log.warning(each.name + ": " + line);
  const std::size_t blocks = asked.blocks.value_or(compare::usual_blocks);
  run::interrupt signals(&log);
  signals.hold();
  const compare::arm_servers servers(
      arms, asked.settle_ns,
      [&](std::uint64_t ns) {
        (void)signals.wait(std::chrono::nanoseconds(ns));
        return signals.came();
      },
      log);
  const compare::pair_folder into(folder,
                                  {{arms[0].name, arms[1].name}, {arms[0].digest, arms[1].digest}},
                                  blocks, asked.resume);
  const std::size_t figures = asked.declared.empty()
                                  ? compare::usual_figures(compare::benchmark::server).size()
                                  : asked.declared.size();
  for (const std::string& line :
       comparison::forecast_lines(blocks, figures, {.same_within = asked.same_within}))
    cli::print("{}\n", line);
  standard_output().flush();
  compared_runs out;
  if (blocks != into.first_blocks())
    out.notes.push_back("the comparison began with a plan of " +
                        std::to_string(into.first_blocks()) +
                        " blocks: its error rates hold only if the new number did not depend on a "
                        "first look");
  cli::print("Results: {}\n", into.path().string());
  const compare::pair_outcome made =
      compare::make_paired_runs(arms, blocks, into,
                                {.out = standard_output(),
                                 .stop = signals.flag(),
                                 .show_stdout = asked.show_stdout,
                                 .wait_until_idle = [&] { servers.wait_until_idle(); },
                                 .server_answers = [&] { return servers.all_answer(); },
                                 .after_block =
                                     [&](const compare::pair_outcome& so_far) {
                                       if (so_far.whole_blocks == comparison::least_for_deviation &&
                                           blocks > so_far.whole_blocks)
                                         print_forecast(arms, so_far, blocks, asked, log);
                                     }});
  cli::print("\n");
  if (made.interrupted)
    out.notes.emplace_back(
        "the planned blocks are not complete: the error rates hold only if all of them are made, "
        "and not if the comparison ends here because of its verdicts");
  if (made.interrupted)
    out.resume_hint = "--resume --result-dir " + base::shell_word(into.path().string()) +
                      " continues from the last finished run";
  out.groups = groups_of(arms, made, asked, log);
  return out;
}

/// Throws base::error if the file for the comparison is the file of a run.
void require_other_file(const std::string& json, const std::vector<compare::run_group>& groups) {
  std::error_code unknown;
  for (const compare::run_group& group : groups)
    for (const compare::measured_run& run : group.runs)
      if (!json.empty() && fs::equivalent(json, run.file, unknown))
        throw base::error("the file is that of a run", "choose another file for --json",
                          {run.file.string(), 0, 0});
}

compared_runs runs_of(const compare::compare_request& asked, const fs::path& folder,
                      const options::environment& env, base::log& log) {
  if (asked.makes_runs) return made_runs(asked, folder, env, log);
  compare::found_groups found = compare::read_groups(asked.arguments, asked.declared, log);
  return {std::move(found.groups), std::move(found.notes), {}};
}

}  // namespace

int compare(arguments args) {
  const options::environment env = options::environment::of_process();
  const compare::compare_request asked = compare::parse_compare(args, env);
  if (!asked.help.empty()) {
    cli::print("{}", asked.help);
    return done;
  }
  base::log log;
  for (const std::string& line : asked.warnings)
    log.warning(line);
  const fs::path folder = folder_of(asked);
  // The reporters come first: a misspelt name must not be found after hours.
  config::installed_catalog plugins;
  plugins.look_in({}, false);
  const config::table_reporters reporters = config::read_table_reporters(
      {asked.reporters, {}, asked.makes_runs ? folder.string() : std::string()}, env, plugins);
  for (const std::string& line : reporters.warnings)
    log.warning(line);
  run::require_places(reporters.reporters, {});
  if (!asked.json.empty()) run::require_writable_file(asked.json, "--json");

  const compared_runs runs = runs_of(asked, folder, env, log);
  const bool interrupted = !runs.resume_hint.empty();
  if (interrupted)
    log.warning("the comparison was interrupted" +
                std::string(runs.groups.size() < 2 ? " before its second run: " : ": ") +
                runs.resume_hint);
  if (runs.groups.size() < 2) return incomplete;
  require_other_file(asked.json, runs.groups);
  compare::group_comparison found = compare::compare_groups(runs.groups, rules_of(asked));
  found.notes.insert(found.notes.begin(), runs.notes.begin(), runs.notes.end());
  cli::print("{}", compare::text_of(found, runs.groups));
  const std::string json = compare::json_of(found, runs.groups, asked.line);
  if (!asked.json.empty()) experiment::write_durably(asked.json, json + "\n");
  const bool reported = compare::report_groups({runs.groups, asked.line, json, interrupted},
                                               reporters, log, standard_output());
  if (interrupted || !reported) return incomplete;
  if (!asked.gate) return done;
  cli::print("{}\n", compare::gate_text(found));
  return compare::gate_status(found);
}

}  // namespace inferbench::cli
