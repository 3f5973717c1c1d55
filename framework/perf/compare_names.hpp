// Names of the files of a comparison. The values come from files of the user, so a name never
// leaves its folder and always fits a file system. Pure functions.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>

#include "perf/compare_frame.hpp"

namespace inferbench::perf {

/// The text with "_" for each character except ASCII letters, digits and ._-
[[nodiscard]] std::string plain_name(std::string_view text);

/// The page of a group: perf_comparison_org-model_random_128_128.html. Commas become "_", slashes
/// "-". A name that is in `taken` already gets "_2"; the new name is added to `taken`.
[[nodiscard]] std::string group_page_name(std::span<const compared_cell> group,
                                          std::set<std::string>& taken);

/// The sheet of a group: model_128x128, at most 31 characters; the model's name is cut. A name that
/// is in `taken` already gets "_2"; `taken` gets the plain_name(), so that the names of CSV files
/// differ, too.
[[nodiscard]] std::string sheet_name(const compared_frame& frame,
                                     std::span<const compared_cell> group,
                                     std::set<std::string>& taken);

}  // namespace inferbench::perf
