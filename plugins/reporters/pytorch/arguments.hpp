// The arguments of a run in the form in which the parser of `vllm bench serve` stores them.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reporters/common/json_value.hpp"

namespace reporters {

/// Pairs of a name and a JSON value.
using arguments = std::vector<std::pair<std::string, std::string>>;

/// Returns all arguments of upstream's parser, in upstream's types: the given value, else its
/// default, else null. The given flags that only this program has follow. `given` is the result of
/// flags_of(). `self_timed`: the run uses the times of a trace. Returns an empty list if `given` is
/// not an object.
[[nodiscard]] arguments arguments_of(const json_value& given, bool self_timed);

/// Returns the JSON of one argument; empty if there is no such argument.
[[nodiscard]] std::string_view find(const arguments& all, std::string_view name);

}  // namespace reporters
