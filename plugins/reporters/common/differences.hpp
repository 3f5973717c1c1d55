// What differs between the configurations of several runs. Pure functions; the results own their
// texts.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace reporters {

/// The settings of a run that can matter for its figures: name ("load.max-concurrency") and value
/// as JSON.
using run_settings = std::map<std::string, std::string>;

/// The settings in ifb_run.config_json and ifb_run.environment_json:
/// - each value of the TOML tables, under the name TABLE.KEY;
/// - `model` and `tokenizer` as they were found before the run;
/// - of the environment: the version and the compiler of inferbench, the machine, and version and
///   digest of each plugin that is no reporter.
/// Left out is what only says where a result goes: the reporters and the names of files, folders
/// and labels of results; and the prefix of request ids, which is random.
[[nodiscard]] run_settings settings_of(std::string_view config_json,
                                       std::string_view environment_json);

/// A setting whose value is not the same in all runs.
struct setting_difference {
  std::string name;
  /// One JSON value for each run; empty: the run does not have the setting.
  std::vector<std::string> values;
};

/// The differences, sorted by name. Empty if all runs have the same settings.
[[nodiscard]] std::vector<setting_difference> differences_of(std::span<const run_settings> runs);

}  // namespace reporters
