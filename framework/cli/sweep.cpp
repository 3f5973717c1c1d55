#include <algorithm>
#include <ctime>
#include <iterator>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/sweep_experiment.hpp"
#include "cli/sweep_startup.hpp"
#include "config/catalog.hpp"
#include "config/request.hpp"
#include "options/environment.hpp"
#include "options/refusal.hpp"
#include "plot/commands.hpp"
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

/// Refuses arguments that a certified search would refuse after the start of the server.
void require_searches(const sweep::plan& plan) {
  if (plan.does != sweep::kind::sla || plan.search != sweep::sla_search::certified) return;
  const options::environment env = options::environment::of_process();
  for (const sweep::item& bench : plan.bench_items) {
    const std::vector<std::string> words = sweep::find_arguments(
        sweep::find_command(plan, bench, plan.sla_sets.front(), plan.output_dir, "find.json"));
    config::installed_catalog plugins;
    static_cast<void>(config::parse_find(words, env, plugins));
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
