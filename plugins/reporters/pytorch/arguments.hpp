// The arguments of a run as the parser of `vllm bench serve` keeps them.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reporters/common/json_value.hpp"

namespace reporters {

/// Name and JSON value.
using arguments = std::vector<std::pair<std::string, std::string>>;

/// All arguments of upstream's parser, in upstream's types: the given value, else its default, else
/// null. `given`: flags_of() the run; `self_timed`: the run keeps to the times of a trace. Given
/// flags that only this program has follow. Empty if `given` is no object.
[[nodiscard]] arguments arguments_of(const json_value& given, bool self_timed);

/// The JSON of one argument; empty: there is none.
[[nodiscard]] std::string_view find(const arguments& all, std::string_view name);

}  // namespace reporters
