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

/// All that upstream's parser knows, in upstream's types: what was given, else its default, null
/// where it has none. `given`: flags_of() the run; `self_timed`: it keeps to the times of a trace.
/// Flags that only this program has follow, where they were given. Empty where `given` is no
/// object.
[[nodiscard]] arguments arguments_of(const json_value& given, bool self_timed);

/// The JSON of one; empty: there is none.
[[nodiscard]] std::string_view find(const arguments& all, std::string_view name);

}  // namespace reporters
