// How a run is called and where its journal goes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "config/plan.hpp"

namespace inferbench::run {

/// "inferbench-20261120-101502-4711": local time and process, unique on this machine.
[[nodiscard]] std::string run_name(std::int64_t unix_ns);

/// --journal as given ("none": no journal); else, when results are saved, NAME.journal
/// in their folder, which is made if need be; else none. Throws base::error when the
/// folder cannot be made.
[[nodiscard]] std::optional<std::filesystem::path> journal_path(const config::plan& plan,
                                                                const std::string& name);

}  // namespace inferbench::run
