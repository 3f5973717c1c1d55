// Parses JSON from a journal. A journal is untrusted input, so the nesting depth is limited: the
// document can be traversed and written recursively without a stack overflow.
#pragma once

#include <string>
#include <string_view>

#include "base/json.hpp"
#include "options/node.hpp"

namespace inferbench::run {

/// Limit of the nesting depth: the depth of a value in a plan, plus the levels of the objects that
/// contain the value.
inline constexpr int deepest_in_journal = options::deepest + 10;

/// Like base::parse_json(), but also throws base::error if the text is nested more deeply than
/// `deepest_in_journal`.
[[nodiscard]] rapidjson::Document parse_journal_json(std::string_view text,
                                                     const std::string& place);

}  // namespace inferbench::run
