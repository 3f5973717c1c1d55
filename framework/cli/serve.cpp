#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <unistd.h>

#include "base/log.hpp"
#include "calibration/calibration.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/sweep_experiment.hpp"
#include "config/catalog.hpp"
#include "config/request.hpp"
#include "options/environment.hpp"
#include "options/refusal.hpp"
#include "run/covered_terminal.hpp"
#include "run/run.hpp"

namespace inferbench::cli {

namespace {

/// Carries out a request of serve or run. `command`: the name for the first line of the output,
/// such as "serve".
int carry_out(const char* command, config::request asked) {
  if (!asked.help.empty()) {
    cli::print("{}", asked.help);
    return done;
  }
  if (asked.print_config) {
    cli::print("{}", asked.plan.toml_with_places);
    return done;
  }
  const options::environment environment = options::environment::of_process();
  run::require_screen(asked.plan.live, ::isatty(STDERR_FILENO) == 1, environment.find("TERM"));
  // Upstream prints its parsed arguments first. This program prints a line that can be pasted into
  // a shell.
  cli::print("Command: inferbench {}{}{}\n", command, asked.line.empty() ? "" : " ", asked.line);
  standard_output().flush();
  base::log log;
  for (const std::string& line : asked.warnings)
    log.warning(line);
  const bool valid_only = asked.plan.require_valid;
  std::string calibration_json;
  if (asked.plan.calibrate) {
    const calibration::calibration found = calibration::calibrate(asked.plan, {}, log);
    cli::print("{}", found.table);
    calibration_json = found.json;
  }
  const run::outcome result =
      run::execute(std::move(asked.plan), log, standard_output(), calibration_json);
  if (result.interrupted || result.reporters_failed || result.data_failed) return incomplete;
  if (valid_only && result.client.level != metrics::validity::valid) return not_valid;
  return result.thresholds_failed ? not_met : done;
}

/// The files after --compare, the mode of vLLM's Rust client that compares two results instead of
/// measuring; empty without the flag. Throws options::usage_error for fewer than two files.
std::vector<std::string> compared_files(arguments args) {
  constexpr std::string_view flag = "--compare";
  const auto found = std::ranges::find(args, flag);
  if (found == args.end()) return {};
  std::vector<std::string> out;
  for (auto at = found + 1; at != args.end() && !at->starts_with("--"); ++at)
    out.push_back(*at);
  if (out.size() < 2)
    throw options::usage_error("two results are needed", "write --compare BASE.json NEW.json",
                               {std::string(flag), 0, 0});
  return out;
}

}  // namespace

int serve(arguments args) {
  if (const std::vector<std::string> files = compared_files(args); !files.empty())
    return compare(files);
  config::installed_catalog plugins;
  return carry_out("serve", config::parse_serve(args, options::environment::of_process(), plugins));
}

int run(arguments args) {
  if (const command_function without_server = offline_benchmark(args)) return without_server(args);
  config::installed_catalog plugins;
  config::request asked = config::parse_run(args, options::environment::of_process(), plugins);
  if (!asked.sweep) return carry_out("run", std::move(asked));
  cli::print("Command: inferbench run {}\n", asked.line);
  base::log log;
  for (const std::string& line : asked.warnings)
    log.warning(line);
  sweep::plan& plan = *asked.sweep;
  // The runs use this program, and not another that the search path finds.
  std::error_code unknown;
  const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", unknown);
  if (!unknown) plan.bench_command.front() = own.string();
  return carry_out_experiment(plan, plugins);
}

}  // namespace inferbench::cli
