// A member of a row as JSON text again, to be handed on unchanged.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "jsonl.hpp"

namespace files {

/// The JSON text of the member `name` of `row`, which json_lines::read has filled in last; for a
/// list, the text of each of its elements; empty if there is no such member. Numbers keep
/// their spelling, so that 1.0 stays 1.0 and 2^70 is not rounded; half a surrogate pair is
/// U+FFFD. Throws as row.refuse() for NaN and Infinity, which JSON does not have.
[[nodiscard]] std::vector<std::string> texts_of(const json_row& row, std::string_view name);

}  // namespace files
