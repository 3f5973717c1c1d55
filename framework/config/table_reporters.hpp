// The reporters that show the runs of an experiment side by side: --reporter NAME[=FILE] of
// `inferbench sweep`, and the entries [[sweep.reporter]] of a TOML file.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/catalog.hpp"
#include "config/plan.hpp"
#include "options/environment.hpp"
#include "options/node.hpp"

namespace inferbench::config {

struct asked_table_reporters {
  std::span<const std::string> named;      // NAME, NAME=FILE or NAME=-
  std::span<const options::node> entries;  // tables with the name of a plugin in `use`, its options
                                           // and, if a certain build is required, `sha256`
  std::string folder;                      // of the experiment; need not exist yet
};

struct table_reporters {
  std::vector<options::plugin_choice> reporters;  // those of the entries, then the named
  config::server server;                          // the environment's proxies only
  std::vector<std::string> warnings;              // one line each, for the log
};

/// Loads and checks the reporters; call this before the experiment starts, so that a misspelt name
/// ends it at once. FILE and `file` are relative to the working directory. A reporter for which no
/// file is named writes into `folder`. `plugins` must have been told where to look. Throws
/// base::error if there is no such plugin, if it does not show several runs, if it cannot take a
/// file, or if two would write one file; usage_error for entries that cannot be read.
[[nodiscard]] table_reporters read_table_reporters(const asked_table_reporters& asked,
                                                   const options::environment& env,
                                                   catalog& plugins);

/// The names of the installed reporters that offer the interface: "csv, html". Slow: lists all
/// plugins.
[[nodiscard]] std::string reporters_with(std::string_view interface_id, catalog& plugins);

}  // namespace inferbench::config
