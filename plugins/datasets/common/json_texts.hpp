// Writes a member of a row as JSON text, so that it can be passed on unchanged.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "jsonl.hpp"

namespace files {

/// Returns the JSON text of the member `name` of `row`. If the member is a list, returns the text
/// of each element. Returns an empty list if there is no such member. `row` must have been filled
/// by json_lines::read. Numbers keep their spelling: 1.0 stays 1.0, and 2^70 is not rounded. Half a
/// surrogate pair becomes U+FFFD. Throws like row.refuse() for NaN and Infinity, which JSON does
/// not have, in any member of the row.
[[nodiscard]] std::vector<std::string> texts_of(const json_row& row, std::string_view name);

}  // namespace files
