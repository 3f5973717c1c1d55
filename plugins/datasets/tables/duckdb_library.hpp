// Finds DuckDB's shared library on this machine and loads it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/hub/environment.hpp"
#include "duckdb_api.hpp"

namespace tables {

/// Returns the files to try, in order: only the file of INFERBENCH_DUCKDB (or libduckdb.so in this
/// folder) if the variable is set; otherwise libduckdb.so in the folder that contains the folder of
/// all plugins (lib/inferbench for the plugin lib/inferbench/plugins/datasets/x.so) and in its
/// parent, and last the bare name, which the system's loader searches.
[[nodiscard]] std::vector<std::string> duckdb_candidates(const hub::variables& lookup,
                                                         const std::filesystem::path& plugin);

/// Loads the first of these files that exists. The library stays loaded until the process ends.
/// Throws ifb::failure (IFB_E_CONFIG, option "path") with the reasons and with the way to get
/// DuckDB, if no file can be loaded or if its version is too old. [any thread]
[[nodiscard]] const duckdb::functions& load_duckdb(const std::vector<std::string>& candidates);

/// Loads the library of this process when it is called for the first time. Throws like
/// load_duckdb(). [any thread]
[[nodiscard]] const duckdb::functions& duckdb_of_process();

}  // namespace tables
