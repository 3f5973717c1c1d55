// Names of the folders and files of an experiment.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sweep/item.hpp"
#include "sweep/request.hpp"

namespace inferbench::sweep {

/// The folder of a combination: "SERVE--max_num_seqs=32-BENCH--max_concurrency=4"; empty if both
/// items are empty. `more` are further pieces, joined with "-".
[[nodiscard]] std::string folder_name(const item& serve, const item& bench,
                                      std::span<const std::string> more = {});

/// The folder of a combination of the plan that has no levels: folder_name(), and for `sweep
/// startup` "STARTUP--" in place of "BENCH--".
[[nodiscard]] std::string combination_folder(const plan& what, const item& serve,
                                             const item& bench);

/// Every "/" as "_" and every ".." as "__"; then without ' and then " at both ends.
[[nodiscard]] std::string sanitised(std::string_view name);

/// "run=0.json"; -1: "warmup.json".
[[nodiscard]] std::string run_file(int run_number);

}  // namespace inferbench::sweep
