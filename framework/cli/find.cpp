// `inferbench find`: the largest load that meets goals.
#include <ctime>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "base/error.hpp"
#include "base/log.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "config/catalog.hpp"
#include "config/request.hpp"
#include "config/table_reporters.hpp"
#include "experiment/durable_file.hpp"
#include "find/load_search.hpp"
#include "limit/wording.hpp"
#include "options/environment.hpp"
#include "run/interrupt.hpp"
#include "run/output_places.hpp"
#include "run/replay_table.hpp"
#include "sweep/request.hpp"

namespace inferbench::cli {

namespace {

/// Gives the runs to the reporters. Returns false if a reporter has failed.
bool report_runs(const find::search_outcome& found, const config::table_reporters& to,
                 base::log& log) {
  if (to.reporters.empty() || found.journals.empty()) return true;
  run::table_texts told;
  told.command = found.about.command;
  told.facts.emplace_back("search", found.json);
  for (const limit::probe_record& probe : found.record.probes)
    told.labels.push_back(find::label_of(found.record, probe));
  return !run::replay_table(found.journals, to.reporters, to.server, {}, log, standard_output(),
                            told)
              .reporters_failed;
}

/// Creates the folder of the search. If another search has it, the folder gets a number.
void make_folder(std::filesystem::path& folder) {
  experiment::create_folder(folder.parent_path());
  const std::filesystem::path first = folder;
  for (int number = 2;; ++number) {
    std::error_code problem;
    if (std::filesystem::create_directory(folder, problem)) return;
    if (problem) throw base::error("cannot create " + folder.string() + ": " + problem.message());
    folder = first.string() + "-" + std::to_string(number);
  }
}

}  // namespace

int find(arguments args) {
  const options::environment env = options::environment::of_process();
  config::installed_catalog plugins;
  const config::find_request asked = config::parse_find(args, env, plugins);
  if (!asked.load.help.empty()) {
    cli::print("{}", asked.load.help);
    return done;
  }
  std::filesystem::path folder = std::filesystem::path(asked.load.plan.files.folder) /
                                 ("find-" + sweep::experiment_name(std::time(nullptr)));
  const config::table_reporters reporters =
      config::read_table_reporters({asked.reporters, {}, folder.string()}, env, plugins);
  base::log log;
  for (const std::string& line : reporters.warnings)
    log.warning(line);
  run::require_places(reporters.reporters, {});
  if (!asked.json.empty()) run::require_writable_file(asked.json, "--json");
  run::interrupt signals(&log);
  find::load_search search(
      asked,
      [&](const std::vector<std::string>& more) {
        return config::parse_probe(args, more, env, plugins);
      },
      log, standard_output(), signals);
  cli::print("Command: inferbench find {}\n", asked.load.line);
  standard_output().flush();
  make_folder(folder);
  const find::search_outcome found = search.carry_out(folder);
  cli::print("\n");
  for (const std::string& line : limit::conclusion_lines(found.record))
    cli::print("{}\n", line);
  cli::print("The runs and find.json are in {}\n", folder.string());
  const bool reported = report_runs(found, reporters, log);
  if (found.about.interrupted || found.about.failed || !reported) return incomplete;
  return found.record.result.limit ? done : not_met;
}

}  // namespace inferbench::cli
