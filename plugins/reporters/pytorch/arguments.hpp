// The command line of a run as `vllm bench serve` spells it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../common/json_value.hpp"

namespace reporters {

/// Name and JSON value, in the order of the plan's tables.
using arguments = std::vector<std::pair<std::string, std::string>>;

/// Every setting of the plan under the name that upstream's parser keeps it by
/// (`request_rate`, `dataset_name`, `random_input_len`); a key that only this program has
/// keeps its own, with underscores. Headers have their values cut.
[[nodiscard]] arguments arguments_of(const json_value& plan);

/// The JSON of one; empty: there is none.
[[nodiscard]] std::string_view find(const arguments& all, std::string_view name);

}  // namespace reporters
