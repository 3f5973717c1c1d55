// JSON out of a journal, which anyone may have written: what is read here can be walked through
// and written again by recursion.
#pragma once

#include <string>
#include <string_view>

#include "base/json.hpp"
#include "options/node.hpp"

namespace inferbench::run {

/// Levels that it may have: a value of a plan, with the tables that it stands in.
inline constexpr int deepest_in_journal = options::deepest + 10;

/// As base::parse_json(), and throws base::error for more levels than that.
[[nodiscard]] rapidjson::Document parse_journal_json(std::string_view text,
                                                     const std::string& place);

}  // namespace inferbench::run
