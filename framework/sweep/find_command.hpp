// The command of a certified search (`sweep serve_sla --sla-search certified`): `inferbench find`,
// made from the benchmark command `inferbench serve`. Pure functions.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
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

/// The command of one search of a plan whose benchmark is as_find(): with the parameters of
/// `bench`, with the criteria as goals, and with the reporters of the plan. find keeps the journals
/// of its runs and the files of its reporters in a folder below `folder`, and writes its result to
/// the file `result`.
[[nodiscard]] std::vector<std::string> find_command(const plan& what, const item& bench,
                                                    const sla_set& criteria,
                                                    const std::filesystem::path& folder,
                                                    const std::filesystem::path& result);

/// The number of searches of a certified plan: one for each combination and each set of criteria.
[[nodiscard]] std::size_t searches_of(const plan& what);

/// Throws options::usage_error, with the position `flag`, for a reporter whose table would be lost:
/// "NAME=FILE" if the plan has several searches, because each search writes a table of its own, and
/// "NAME=-" if the plan does not show the standard output of its searches. `reporters`: NAME,
/// NAME=FILE or NAME=-.
void require_own_tables(std::span<const std::string> reporters, const plan& what,
                        const std::string& flag);

/// The words of the command behind "find", for a check of the arguments.
[[nodiscard]] std::vector<std::string> find_arguments(const std::vector<std::string>& command);

}  // namespace inferbench::sweep
