// The command of a certified search (`sweep serve_sla --sla-search certified`): `inferbench find`,
// made from the benchmark command `inferbench serve`. Pure functions.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sweep/item.hpp"
#include "sweep/request.hpp"
#include "sweep/sla_criteria.hpp"

namespace inferbench::sweep {

/// The bounds of the search, as flags of find with their texts: {"--between", "1", "100"}.
using find_flags = std::vector<std::string>;

/// "inferbench find FLAGS" and `limits` from "inferbench serve FLAGS" or "inferbench bench serve
/// FLAGS". Throws base::error for any other command.
[[nodiscard]] std::vector<std::string> as_find(const std::vector<std::string>& serve,
                                               const find_flags& limits);

/// The command of one search of a plan whose benchmark is as_find(): with the parameters of `bench`
/// and with the criteria as goals. find keeps the journals of its runs in a folder below `folder`,
/// and writes its result to the file `result`.
[[nodiscard]] std::vector<std::string> find_command(const plan& what, const item& bench,
                                                    const sla_set& criteria,
                                                    const std::filesystem::path& folder,
                                                    const std::filesystem::path& result);

/// The words of the command behind "find", for a check of the arguments.
[[nodiscard]] std::vector<std::string> find_arguments(const std::vector<std::string>& command);

}  // namespace inferbench::sweep
