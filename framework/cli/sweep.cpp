#include <algorithm>
#include <ctime>
#include <filesystem>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include <inferbench/abi.h>

#include "base/log.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/sweep_experiment.hpp"
#include "cli/sweep_startup.hpp"
#include "config/catalog.hpp"
#include "config/named_reporter.hpp"
#include "config/request.hpp"
#include "config/table_reporters.hpp"
#include "options/environment.hpp"
#include "options/option.hpp"
#include "options/plugin_choice.hpp"
#include "options/refusal.hpp"
#include "plot/commands.hpp"
#include "run/output_places.hpp"
#include "sweep/find_command.hpp"
#include "sweep/request.hpp"

namespace inferbench::cli {

namespace {

constexpr const char* sweep_usage =
    "usage: inferbench sweep COMMAND [ARGUMENTS]\n\n"
    "  serve           run a benchmark for every combination of server and benchmark parameters\n"
    "  serve_workload  the same at loads from one request at a time to all at once\n"
    "  serve_sla       look for the largest load that satisfies criteria\n"
    "  startup         measure starts for every combination of parameters\n"
    "  plot            draw curves from the results\n"
    "  plot_pareto     draw the Pareto frontier of tokens/s/user and tokens/s/GPU\n"
    "  boundary        latency at each concurrency, compared with the lowest, as a table\n\n"
    "inferbench sweep COMMAND --help explains a command. A file of `inferbench run` can have a\n"
    "table [sweep] instead.\n";

/// Whether the reporter writes a file. Another reporter prints, or sends the table elsewhere.
bool writes_file(const options::plugin_choice& reporter) {
  std::vector<options::option> declared;
  for (const ifb_option* each : reporter.library.options())
    declared.push_back(options::option_of(*each, IFB_REPORTER, reporter.library.id()));
  return config::file_option(declared) != nullptr;
}

/// Loads and checks the reporters of a search, as find does before its first run.
void require_reporters(const config::find_request& search, const sweep::plan& plan,
                       const options::environment& env, config::catalog& plugins) {
  // The reporters of the plan have passed this check, so these are from the benchmark's command.
  sweep::require_own_tables(search.reporters, plan, "--bench-cmd");
  const std::string folder =
      (std::filesystem::path(search.load.plan.files.folder) / "find").string();
  const config::table_reporters found =
      config::read_table_reporters({search.reporters, {}, folder}, env, plugins);
  if (plan.dry_run) return;
  run::require_places(found.reporters, {});
  base::log log;
  for (const options::plugin_choice& each : found.reporters)
    if (!plan.show_stdout && !writes_file(each))
      log.warning("reporter " + each.use +
                  " writes no file, and the sweep drops the standard output of a search: add "
                  "--show-stdout to see what it prints");
}

/// Refuses arguments that a certified search would refuse after the start of the server.
void require_searches(const sweep::plan& plan) {
  if (plan.does != sweep::kind::sla || plan.search != sweep::sla_search::certified) return;
  const options::environment env = options::environment::of_process();
  std::set<std::vector<std::string>> checked;  // lists of reporters
  for (const sweep::item& bench : plan.bench_items) {
    const std::vector<std::string> words = sweep::find_arguments(
        sweep::find_command(plan, bench, plan.sla_sets.front(), plan.output_dir, "find.json"));
    config::installed_catalog plugins;
    const config::find_request search = config::parse_find(words, env, plugins);
    if (checked.insert(search.reporters).second) require_reporters(search, plan, env, plugins);
  }
}

template <sweep::kind which>
int experiment_of(arguments args) {
  config::installed_catalog plugins;
  plugins.look_in({}, false);
  const sweep::sweep_request asked =
      which == sweep::kind::startup
          ? sweep::parse_sweep(which, args, std::time(nullptr), own_startup_benchmark(plugins))
          : sweep::parse_sweep(which, args);
  if (!asked.help.empty()) {
    cli::print("{}", asked.help);
    return done;
  }
  require_searches(asked.plan);
  return carry_out_experiment(asked.plan, plugins);
}

template <void (*show)(arguments, base::output&)>
int shown_by(arguments args) {
  show(args, standard_output());
  return done;
}

struct sub_command {
  const char* name;
  int (*run)(arguments args);
};

constexpr sub_command sub_commands[] = {
    {"serve", &experiment_of<sweep::kind::serve>},
    {"serve_workload", &experiment_of<sweep::kind::workload>},
    {"serve_sla", &experiment_of<sweep::kind::sla>},
    {"startup", &experiment_of<sweep::kind::startup>},
    {"plot", &shown_by<plot::draw>},
    {"plot_pareto", &shown_by<plot::draw_pareto>},
    {"boundary", &shown_by<plot::show_boundary>},
};

}  // namespace

int sweep(arguments args) {
  if (args.empty()) return print_usage(sweep_usage, true);
  const std::string& name = args.front();
  if (name == "--help" || name == "-h" || name == "help") return print_usage(sweep_usage, false);
  const auto* const found = std::ranges::find_if(
      sub_commands, [&](const sub_command& each) { return name == each.name; });
  if (found != std::end(sub_commands)) return found->run(args.subspan(1));
  if (asks_for_help(args)) return print_usage(sweep_usage, false);
  std::vector<std::string> names;
  for (const sub_command& each : sub_commands)
    names.emplace_back(each.name);
  const std::string meant = base::did_you_mean(name, names);
  throw options::usage_error("unknown command sweep " + base::one_line(name),
                             meant.empty() ? "see inferbench sweep --help" : meant);
}

}  // namespace inferbench::cli
