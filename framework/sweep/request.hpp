// The arguments of `inferbench sweep serve`, `serve_workload`, `serve_sla` and `startup`, and the
// plan that they make.
#pragma once

#include <cstdint>
#include <ctime>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sweep/item.hpp"
#include "sweep/links.hpp"
#include "sweep/sla_criteria.hpp"
#include "sweep/startup_parameters.hpp"
#include "sweep/sweep_flags.hpp"

namespace inferbench::sweep {

/// The search of `serve_sla`. `certified`: plan::bench_command is `inferbench find`, each set of
/// criteria is one run of it (find_command.hpp), and there are no levels.
enum class sla_search : std::uint8_t { spline, binary, certified };

/// The task of an experiment. From the command line (parse_sweep) or from the table [sweep] of a
/// TOML file (toml_sweep.hpp).
struct plan {
  kind does = kind::serve;
  std::vector<std::string> serve_command;  // empty: the server is there already (TOML only), or
                                           // there is none (startup)
  std::vector<std::string> bench_command;  // startup: the start-up benchmark
  std::optional<std::vector<std::string>> after_bench;
  bool show_stdout = false;
  std::uint64_t ready_timeout_s = 300;
  std::vector<item> serve_items;  // at least one unless the file is an empty list
  std::vector<item> bench_items;
  std::vector<link> links;
  std::vector<item> excludes;  // combinations that have all values of such an item do not run
  std::string output_dir = "results";
  std::string experiment;  // name of the folder below output_dir
  int num_runs = 3;
  int warmup_prompts = 0;  // --warmup-num-prompts
  bool dry_run = false;
  bool resume = false;
  bool continue_on_error = false;
  enum class order : std::uint8_t { upstream, shuffled, abba } in_order = order::upstream;
  std::uint64_t order_seed = 0;
  std::string variable = "request_rate";  // workload and sla: the variable
  int workload_iters = 10;
  std::vector<sla_set> sla_sets;
  sla_search search = sla_search::spline;
  // --reporter: NAME or NAME=FILE, as inferbench report. In a certified search they get the runs of
  // each search (find_command.hpp), otherwise those of the experiment.
  std::vector<std::string> reporters;
  std::vector<options::node> reporter_entries;  // [[sweep.reporter]] of a TOML file
  // Not empty: the benchmark is `inferbench run`, whose parameters are keys of its TOML files, and
  // this reporter writes its result (toml_sweep.hpp).
  std::string result_reporter;
  // The benchmark's parameter for the number of requests, which the warm-up sets.
  std::string prompts_key = "num_prompts";
  std::string settings_digest;     // identifies the settings in these files; otherwise empty
  std::string command_line;        // of the user, for reporters
  std::vector<std::string> notes;  // printed before the first run
};

struct sweep_request {
  sweep::plan plan;
  std::string help;  // not empty: the caller prints this text and stops
};

/// `args`: the arguments after the sub-command. `start`: the time after which the experiment is
/// named if the arguments do not name it. Reads the parameter files. Throws options::usage_error
/// for arguments that cannot be read (status 2), base::error otherwise: a value out of range, a
/// file, and what require_runnable() (runnable.hpp) refuses. `startup`: for kind::startup.
[[nodiscard]] sweep_request parse_sweep(kind which, std::span<const std::string> args,
                                        std::time_t start = std::time(nullptr),
                                        const startup_benchmark& startup = {});

/// The local time as "20250131_235959".
[[nodiscard]] std::string experiment_name(std::time_t start);

}  // namespace inferbench::sweep
