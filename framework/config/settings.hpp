// Who said what: the command line, the file, the declared defaults, in this order of
// weight; and the plugins that the user named. From here on there is one checked value
// for each key, wherever it came from.
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

/// One flag, or one --set.
struct setting {
  std::string path;                // "load.request-rate"; "reporter.json.x" for reporters
  std::string member;              // of a JSON key: a sampling flag
  std::vector<std::string> texts;  // or:
  std::optional<options::node> value;
  base::source_position where;
  bool general = false;
  bool merged = false;  // laid over the file's value instead of replacing it
};

struct sources {
  options::node file = options::node::table();  // the root of the TOML file
  std::vector<setting> line;                    // later ones weigh more, general ones most
  std::vector<std::string> reporters;           // each --reporter
  options::command who = options::for_serve;
};

/// A plugin of the run with its options, which answer library.options() by index.
struct used_plugin {
  ifb_kind kind = 0;
  std::string use;  // as the user named it
  plugin::loaded library;
  std::vector<options::option> options;
  const options::node* table = nullptr;  // in the file; nullptr: none
  std::string sha256{};                  // that its library had to have; empty: any
  bool named = false;                    // a reporter of --reporter
  std::string file{};                    // that it names there; empty: none

  [[nodiscard]] const options::option* find(std::string_view name) const;
};

struct used_plugins {
  std::optional<used_plugin> backend, dataset, tokenizer;
  std::vector<used_plugin> tokenizers_after;  // of mode auto: where those before find no files
  std::vector<used_plugin> reporters;

  /// Of backend, dataset and tokenizer the one whose table this is, or nullptr.
  [[nodiscard]] const used_plugin* of_table(std::string_view table) const;
};

/// The checked value of a host key: what was said, else the file, else the default.
/// Throws as check().
[[nodiscard]] options::option_value value_of(const options::option& key, const sources& from,
                                             const options::environment& env);

/// How the user of the command `who` writes the key: its flag, or its path where the file is meant
/// or there is no flag.
[[nodiscard]] std::string name_for(options::command who, const options::option& key);

/// Whether the line or the file says something about `path`.
[[nodiscard]] bool is_given(std::string_view path, const sources& from);

/// Whether the dataset is upstream's `hf`, which is no plugin here: the id of the data set decides
/// which one of ours it is.
[[nodiscard]] bool asks_for_hub(const sources& from, const options::environment& env,
                                catalog& plugins, const std::vector<options::option>& keys);

/// The path of what --hf-name says; there is no such key.
inline constexpr std::string_view hub_name_path = "dataset.hf-name";

/// Loads what the run uses. `from` must outlive the result. Throws as catalog::load, at
/// the place where the plugin is named.
[[nodiscard]] used_plugins choose(const sources& from, const options::environment& env,
                                  catalog& plugins, const std::vector<options::option>& keys);

/// Throws base::error for the first table of the file that is unknown, or none at all.
void check_tables(const options::node& file);

/// Throws base::error for the first key of the file that is declared by neither
/// the host nor the plugin in use, with the nearest one that is.
void reject_unknown(const sources& from, const used_plugins& used,
                    const std::vector<options::option>& keys);

/// What was said about `path`, in the type of `declared`; nullopt: nothing.
[[nodiscard]] std::optional<options::node> given_for(const options::option& declared,
                                                     std::string_view path,
                                                     const options::node* in_file,
                                                     const sources& from);

}  // namespace inferbench::config
