// How a run is called and where its journal goes, also when it is one of several.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "config/plan.hpp"

namespace inferbench::run {

/// Which run of a benchmark this is (--num-runs).
struct place_in_series {
  std::int64_t number = 1;
  std::int64_t of = 1;
};

/// "a/b.json" as "a/b-run2.json"; of a single run as it is, like what is empty.
[[nodiscard]] std::string numbered(const std::string& path, const place_in_series& which);

/// "inferbench-20261120-101502-4711": local time and process, unique on this machine; of
/// several runs "inferbench-20261120-101502-4711-run2".
[[nodiscard]] std::string run_name(std::int64_t unix_ns, const place_in_series& which = {});

/// --journal as given ("none": no journal), numbered; else, when results are saved, NAME.journal
/// in their folder, which is made if need be; else none. Throws base::error when the
/// folder cannot be made.
[[nodiscard]] std::optional<std::filesystem::path> journal_path(const config::plan& plan,
                                                                const std::string& name,
                                                                const place_in_series& which = {});

}  // namespace inferbench::run
