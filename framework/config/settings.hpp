// The settings from all sources, and the plugins that the user named. The command line takes
// precedence over the file, and the file takes precedence over the declared defaults. Later code
// sees only one checked value for each key.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/catalog.hpp"
#include "config/plan.hpp"
#include "options/environment.hpp"
#include "options/node.hpp"
#include "options/option.hpp"

namespace inferbench::config {

/// The setting that one flag or one --set makes.
struct setting {
  std::string path;                // "load.request-rate"; "reporter.json.x" for reporters
  std::string member;              // for a sampling flag: the member of the JSON key
  std::vector<std::string> texts;  // the value as texts; not used if `value` is set
  std::optional<options::node> value;
  base::source_position where;
  bool general = false;
  bool merged = false;  // `value` is merged into the file's value and does not replace it
};

struct sources {
  options::node file = options::node::table();  // the root of the TOML file
  // The settings of the command line. The last setting of a path counts, but `general` settings
  // take precedence over the others.
  std::vector<setting> line;
  std::vector<std::string> reporters;  // the value of each --reporter
  bool several_runs = false;  // the reporters show several runs: a single run has no reporter
  options::command who = options::for_serve;
};

/// A plugin of the run with its options; options[i] belongs to library.options()[i].
struct used_plugin {
  ifb_kind kind = 0;
  std::string use;  // the plugin's name as the user wrote it
  plugin::loaded library;
  std::vector<options::option> options;
  const options::node* table = nullptr;  // the plugin's table in the file; nullptr: the file has no
                                         // such table
  std::string sha256{};                  // the required SHA-256 of its library; empty: every
                                         // library is accepted
  bool named = false;                    // --reporter names this reporter
  std::string file{};                    // the FILE of --reporter; empty: not given
  bool of_program = false;               // catalog::came_with_program()

  [[nodiscard]] const options::option* find(std::string_view name) const;
};

struct used_plugins {
  std::optional<used_plugin> backend, dataset, tokenizer, scorer;
  std::vector<used_plugin> tokenizers_after;  // --tokenizer-mode auto: used in this order if
                                              // `tokenizer` finds no files
  std::vector<used_plugin> reporters;

  /// The backend, dataset, tokenizer or scorer that this table belongs to, or nullptr.
  [[nodiscard]] const used_plugin* of_table(std::string_view table) const;
};

/// Calls `visit` with each plugin of the run.
template <typename visitor>
void for_each(const used_plugins& used, visitor&& visit) {
  for (const auto* plugin : {&used.backend, &used.dataset, &used.tokenizer, &used.scorer})
    if (plugin->has_value()) visit(**plugin);
  for (const auto* several : {&used.tokenizers_after, &used.reporters})
    for (const used_plugin& plugin : *several)
      visit(plugin);
}

/// The checked value of a host key: from the command line, else the file, else the default. Throws
/// as check().
[[nodiscard]] options::option_value value_of(const options::option& key, const sources& from,
                                             const options::environment& env);

/// The name of the key for the user of the command `who`: the flag of the key. For `run`, or if the
/// key has no flag, it is the path of the key in the file.
[[nodiscard]] std::string name_for(options::command who, const options::option& key);

/// Whether the command line or the file sets `path`.
[[nodiscard]] bool is_given(std::string_view path, const sources& from);

/// Whether the dataset is upstream's `hf`.
[[nodiscard]] bool names_hub(const sources& from, const options::environment& env,
                             const std::vector<options::option>& keys);

/// Whether the dataset is upstream's `hf`, and another plugin provides the samples: the id of the
/// data set chooses it, or no plugin `hf` is installed.
[[nodiscard]] bool asks_for_hub(const sources& from, const options::environment& env,
                                catalog& plugins, const std::vector<options::option>& keys);

/// The path of the setting that --hf-name makes; the host has no key for it.
inline constexpr std::string_view hub_name_path = "dataset.hf-name";

/// Loads the plugins that the run uses. `from` must outlive the result. Throws the errors of
/// catalog::load(), with the position where the user names the plugin.
[[nodiscard]] used_plugins choose(const sources& from, const options::environment& env,
                                  catalog& plugins, const std::vector<options::option>& keys);

/// Throws usage_error for the first table of the file that is unknown or is not a table.
void check_tables(const options::node& file);

/// Throws usage_error for the first key of the file that neither the host nor the plugin in use
/// declares, with the nearest declared key.
void reject_unknown(const sources& from, const used_plugins& used,
                    const std::vector<options::option>& keys);

/// The unchecked value for `path` from the command line, otherwise from `in_file`; nullopt if
/// neither sets it.
[[nodiscard]] std::optional<options::node> given_for(const options::option& declared,
                                                     std::string_view path,
                                                     const options::node* in_file,
                                                     const sources& from);

}  // namespace inferbench::config
