// Turns the arguments of a command that makes runs into a request: reads the flags, finds the
// plugins that the run uses, reads the flags again with the options of these plugins, and builds
// the plan. request.cpp and find_request.cpp have the commands. Main thread.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/catalog.hpp"
#include "config/flag_table.hpp"
#include "config/flags.hpp"
#include "config/given_flags.hpp"
#include "config/request.hpp"
#include "config/settings.hpp"
#include "options/environment.hpp"
#include "options/node.hpp"
#include "options/option.hpp"

namespace inferbench::config {

/// One object for each command line. Arguments by reference must outlive it.
class request_parser {
 public:
  /// `usage`: the usage line of the command. `own`: the command's flags that are not keys.
  request_parser(options::command who, std::span<const std::string> args,
                 const options::environment& env, catalog& plugins, std::string usage,
                 std::vector<options::option> own);

  /// Throws options::usage_error and base::error as the functions of request.hpp.
  request parse();

  /// The options of the dataset's plugin. Values that they need may be missing. Call it instead of
  /// parse(); not for options::for_run. Throws as parse() for flags and plugins.
  std::vector<options::option> options_of_dataset();

  /// The named reporters show several runs, so a single run has none.
  void report_several_runs();
  [[nodiscard]] const std::vector<std::string>& named_reporters() const noexcept;
  /// Whether the command line has a flag that sets the key. Valid after parse().
  [[nodiscard]] bool has(std::string_view path) const;

  /// The value of a flag of the command, or its default. Valid after parse().
  [[nodiscard]] options::option_value own(std::string_view name) const;

 private:
  /// The table [sweep] with its settings from the command line, which a single run does not see;
  /// nullopt: a single run is wanted.
  std::optional<options::node> table_of_experiment();

  request experiment(const command_line& line, const options::node& table);

  /// The plan of a run of the experiment.
  plan single_run(std::span<const std::string> args);

  // Reads the line again with the flags of plugins, until all flags are known.
  used_plugins resolve(command_line& line, bool short_form);

  // The file sets all options, so only the flags of reporters that the command line names are
  // added.
  used_plugins resolve_run(command_line& line, bool short_form);
  flag_table with(const used_plugins& used) const;
  [[nodiscard]] bool for_hub() const;
  void read_for_hub(const command_line& line, const used_plugins& used);
  void look(const command_line& line);
  void look_for_plugins();
  void read_files(const command_line& line);
  void reject_rest(const command_line& line) const;
  void reject_rest(const command_line& line, const flag_table& known) const;
  static bool asks_for_help(const command_line& line);
  request help(const command_line& line);

  // The plugins that the user gave as paths. The search path does not contain them.
  std::vector<std::string> given_by_path() const;

  std::span<const std::string> args_;
  const options::environment& env_;
  catalog& plugins_;
  std::string usage_;
  std::vector<options::option> keys_;
  given_flags given_;
  flag_table table_;
  std::vector<options::option> known_;  // the flags and keys of the plugins in use, too
  sources from_;
  std::size_t files_ = 0;  // the number of arguments that are TOML files
};

}  // namespace inferbench::config
