// The settings of a run that can matter for its figures, and what differs between groups of runs.
// Pure functions.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/json_reader.hpp>

namespace inferbench::compare {

/// Name and value as JSON.
using setting_values = std::map<std::string, std::string, std::less<>>;

/// The settings of a run in two forms, because runs of different programs state different things.
struct run_settings {
  /// A run of this program has these: each value of the TOML tables as TABLE.KEY, model and
  /// tokenizer as they were found, version, machine and plugins. Left out are names of results,
  /// labels and reporters, and the salt and the prefix of request ids, which are new in each run.
  /// Empty for a run of another program.
  setting_values own;
  /// A run of any program has these: backend, model, tokenizer, number of requests, rate,
  /// concurrency; and the texts at the top of the result, such as those of --metadata.
  setting_values common;
};

/// `config_json`, `environment_json`: as reporters receive them. `result`: the object of the result
/// file; nullptr for a journal.
[[nodiscard]] run_settings settings_of(std::string_view config_json,
                                       std::string_view environment_json,
                                       const ifb::json_value* result);

/// A setting that does not have the same values in all groups.
struct setting_difference {
  std::string name;
  /// For each group the different values of its runs, each as JSON; empty: no run states it.
  std::vector<std::vector<std::string>> values;
};

/// The settings of the runs of a group.
using settings_of_group = std::vector<const run_settings*>;

/// The settings whose values differ between the groups, sorted by name. If a run comes from another
/// program, only the common settings count.
[[nodiscard]] std::vector<setting_difference> differences_of(
    std::span<const settings_of_group> groups);

/// The names of the settings that have several values within a group, sorted.
[[nodiscard]] std::vector<std::string> varying_names(const settings_of_group& group);

/// A value for a line of text: short JSON as it is, "not stated" for none, "1, 2" for several.
[[nodiscard]] std::string shown_values(const std::vector<std::string>& values);

}  // namespace inferbench::compare
