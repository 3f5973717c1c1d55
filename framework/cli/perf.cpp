#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "base/output.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "options/refusal.hpp"
#include "perf/commands.hpp"

namespace inferbench::cli {

namespace {

constexpr const char* perf_usage =
    "usage: inferbench perf COMMAND [ARGUMENTS]\n\n"
    "  run      run the test definitions of a dashboard, and convert their results\n"
    "  convert  make benchmark_results.md and benchmark_results.json from results\n"
    "  compare  compare files benchmark_results.json, as tables and plots\n\n"
    "inferbench perf COMMAND --help explains a command.\n";

struct perf_command {
  const char* name;
  int (*run)(arguments args, base::output& to);
};

constexpr perf_command perf_commands[] = {
    {"run", &perf::run},
    {"convert", &perf::convert},
    {"compare", &perf::compare},
};

}  // namespace

int perf(arguments args) {
  if (args.empty()) return print_usage(perf_usage, true);
  const std::string& name = args.front();
  if (name == "--help" || name == "-h" || name == "help") return print_usage(perf_usage, false);
  const auto* const found = std::ranges::find(perf_commands, name, &perf_command::name);
  if (found != std::end(perf_commands)) return found->run(args.subspan(1), standard_output());
  if (asks_for_help(args)) return print_usage(perf_usage, false);
  std::vector<std::string> names;
  for (const perf_command& each : perf_commands)
    names.emplace_back(each.name);
  const std::string meant = base::did_you_mean(name, names);
  throw options::usage_error("unknown command perf " + base::one_line(name),
                             meant.empty() ? "see inferbench perf --help" : meant);
}

}  // namespace inferbench::cli
