// The keys of the host in one table. The TOML check, the flags, --help and --print-config all come
// from this table. The options that a plugin declares are added to it (options/option.hpp).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "options/option.hpp"

namespace inferbench::config {

/// The keys in the order of --help and of printed TOML. Several entries may have the same path:
/// their flags set the same key. A `general` flag takes precedence over the others; otherwise the
/// last flag on the command line counts.
[[nodiscard]] std::vector<options::option> host_keys();

/// The names of the tables in the order of printed TOML: "run", "server", ... The table "reporter"
/// is a list of tables.
[[nodiscard]] std::vector<std::string> tables();

/// The table of an experiment (sweep_files.hpp). A single run takes no key from it.
inline constexpr std::string_view sweep_table = "sweep";

/// Paths of keys that say where a result goes or what the user sees of a run, or that are new in
/// each run. They do not describe the load, so runs with different values of them can be compared.
[[nodiscard]] std::span<const std::string_view> keys_beside_the_load() noexcept;

/// The names of the metrics that --percentile-metrics takes, and of the metrics that --goodput
/// takes.
[[nodiscard]] std::vector<std::string> percentile_metrics();
[[nodiscard]] std::vector<std::string> goodput_metrics();

}  // namespace inferbench::config
