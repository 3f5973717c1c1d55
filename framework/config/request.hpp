// The front door of config: the arguments of a command -> what the user asks for.
// Everything is checked here, before a socket is opened; what is wrong is one
// base::error with the flag or file:line:column, the value and the remedy.
//
// Flags and TOML are two spellings of one table of keys (keys.hpp), and a plugin's
// declared options join that table. Only the plugins that the run uses are loaded
// as long as every flag is spelled out and known; a shortened or unknown flag makes
// config ask all installed plugins (catalog::list) for theirs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "config/catalog.hpp"
#include "config/plan.hpp"
#include "options/environment.hpp"

namespace inferbench::config {

struct request {
  config::plan plan;                  // unset when help is asked for
  bool print_config = false;          // print plan.toml and stop
  std::string help;                   // not empty: print it and stop
  std::string line;                   // the arguments, without secrets (command_echo.hpp)
  std::vector<std::string> warnings;  // a line each, for the log
};

/// `args`: what follows the command's name. "serve" writes to the console reporter
/// and, with --save-result or --append-result, to json.
[[nodiscard]] request parse_serve(std::span<const std::string> args,
                                  const options::environment& env, catalog& plugins);

/// FILE.toml [--set TABLE.KEY=VALUE]...: reporters as in the file; without any, as serve.
[[nodiscard]] request parse_run(std::span<const std::string> args, const options::environment& env,
                                catalog& plugins);

/// "dataset show": the flags of dataset, tokenizer and server, and --seed. The plan
/// has neither backend nor reporters.
[[nodiscard]] request parse_dataset_show(std::span<const std::string> args,
                                         const options::environment& env, catalog& plugins);

/// "tokenizer": the flags of tokenizer and server. The plan has nothing else.
[[nodiscard]] request parse_tokenizer(std::span<const std::string> args,
                                      const options::environment& env, catalog& plugins);

struct calibrate_request {
  request load;      // as parse_serve
  std::string ttft;  // of the simulator, in its grammar; not checked here
  std::string itl;
  std::uint64_t limit_ns = 0;  // that the load is expected to last at most
};

/// "calibrate": the flags of serve, --ttft, --itl and --duration-limit.
[[nodiscard]] calibrate_request parse_calibrate(std::span<const std::string> args,
                                                const options::environment& env, catalog& plugins);

struct report_request {
  std::string journal;                            // a path
  std::vector<options::plugin_choice> reporters;  // console unless the user names some
  std::optional<bool> bounded;                    // --summary; none: as the run had it
  std::string help;                               // not empty: print it and stop
  std::vector<std::string> warnings;
};

/// "report": JOURNAL, --reporter NAME, --summary, and the flags of serve that reporters listen to.
[[nodiscard]] report_request parse_report(std::span<const std::string> args,
                                          const options::environment& env, catalog& plugins);

}  // namespace inferbench::config
