// The entry point of config: turns the arguments of a command into a request. All settings are
// checked here, before a socket is opened. An error is a base::error with the flag or
// file:line:column, the value and the remedy.
//
// Flags and TOML are two spellings of one table of keys (keys.hpp), and the options that a plugin
// declares are added to that table. If every flag is spelled out and known, only the plugins that
// the run uses are loaded. For a shortened or unknown flag config lists the options of all
// installed plugins (catalog::list).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "config/catalog.hpp"
#include "config/plan.hpp"
#include "options/environment.hpp"
#include "sweep/request.hpp"

namespace inferbench::config {

struct request {
  config::plan plan;                  // not filled if the user asks for help
  bool print_config = false;          // the caller prints plan.toml_with_places and stops
  std::string help;                   // not empty: the caller prints this text and stops
  std::string line;                   // the arguments, without secrets (command_echo.hpp)
  std::vector<std::string> warnings;  // one line for each warning, for the log
  // "run" with a table [sweep]: the caller carries out this experiment, and `plan` is not filled.
  // The first word of its bench_command is the name of this program.
  std::optional<sweep::plan> sweep = {};
};

/// `args`: the arguments after the command's name. The plan of "serve" has the reporter console
/// and, with --save-result or --append-result, the reporter json.
[[nodiscard]] request parse_serve(std::span<const std::string> args,
                                  const options::environment& env, catalog& plugins);

/// "run": FILE.toml... [--set TABLE.KEY=VALUE]... The reporters are the reporters of the files
/// (layers.hpp); if the files name no reporters, they are the reporters of serve. If the files have
/// a table [sweep] or --set sets a key of it, the request is an experiment (sweep_files.hpp), whose
/// keys and values have been checked for each value of each axis.
[[nodiscard]] request parse_run(std::span<const std::string> args, const options::environment& env,
                                catalog& plugins);

/// "dataset show": the flags of dataset, tokenizer and server, and --seed. The plan has no backend
/// and no reporters.
[[nodiscard]] request parse_dataset_show(std::span<const std::string> args,
                                         const options::environment& env, catalog& plugins);

/// The options that the dataset's plugin of the same request declares, with and without a flag.
/// Values that an option needs may be missing in `args`. Throws the errors of parse_dataset_show()
/// for flags and plugins.
[[nodiscard]] std::vector<options::option> dataset_options_of_dataset_show(
    std::span<const std::string> args, const options::environment& env, catalog& plugins);

/// "tokenizer": the flags of tokenizer and server. The plan contains only these parts.
[[nodiscard]] request parse_tokenizer(std::span<const std::string> args,
                                      const options::environment& env, catalog& plugins);

struct calibrate_request {
  request load;      // the same request as from parse_serve()
  std::string ttft;  // delays of the simulator, in the format of `simulate`; not checked here
  std::string itl;
  std::uint64_t limit_ns = 0;  // the longest expected duration of the load
};

/// "calibrate": the flags of serve, --ttft, --itl and --duration-limit.
[[nodiscard]] calibrate_request parse_calibrate(std::span<const std::string> args,
                                                const options::environment& env, catalog& plugins);

/// The request of a search for the largest load that meets goals.
struct find_request {
  request load;                    // of one run; its plan has no reporters
  std::vector<std::string> goals;  // as the user gave them; at least one
  std::string over;                // "request_rate" or "max_concurrency"
  double low = 0;                  // 0 < low < high
  double high = 0;
  std::int64_t max_probes = 0;
  std::int64_t max_requests = 0;  // of a run
  std::uint64_t max_time_ns = 0;  // of a run
  std::uint64_t min_time_ns = 0;  // of a run that passes, over request_rate
  double alpha = 0;
  double precision = 0;
  double assumed_correlation = 0;  // of neighbouring requests
  std::uint64_t settle_ns = 0;
  std::string json;                    // path; empty: none
  std::vector<std::string> reporters;  // --reporter: NAME, NAME=FILE or NAME=-
};

/// "find": the flags of serve and those of the search (command_flags.hpp). Throws usage_error if
/// the search sets a flag that the user gave, for goals, bounds or numbers that cannot be read, and
/// as parse_serve().
[[nodiscard]] find_request parse_find(std::span<const std::string> args,
                                      const options::environment& env, catalog& plugins);

/// The request of one run of the search: that of `args`, the arguments of `find`, with the flags
/// `more`, which set what the search decides.
[[nodiscard]] request parse_probe(std::span<const std::string> args,
                                  std::span<const std::string> more,
                                  const options::environment& env, catalog& plugins);

struct report_request {
  std::vector<std::string> journals;              // paths; at least one
  std::vector<options::plugin_choice> reporters;  // the reporter console unless the user names
                                                  // reporters
  std::optional<bool> bounded;                    // --summary; nullopt: the same as in the run
  // --threshold: goals in their canonical form; nullopt: those of the run
  std::optional<std::vector<std::string>> thresholds;
  bool thresholds_certain = false;  // --threshold-certain; false: as in the run
  config::server server;  // for requests of reporters: there is no base URL, only the environment's
                          // proxies
  std::string help;       // not empty: the caller prints this text and stops
  std::vector<std::string> warnings;
};

/// "report": JOURNAL..., --reporter NAME, --summary, --threshold, --threshold-certain, and the
/// flags of serve that set options of reporters. Throws if there are several journals and a
/// reporter does not offer inferbench.table-reporter/1.
[[nodiscard]] report_request parse_report(std::span<const std::string> args,
                                          const options::environment& env, catalog& plugins);

}  // namespace inferbench::config
