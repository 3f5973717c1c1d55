// The requests that a probe needs at least, so that a search that cannot end well is refused before
// it begins. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "limit/judge.hpp"

namespace inferbench::limit {

/// The number of requests after which a probe passes its share parts if no request is over a limit;
/// 0 without a share part. nullopt: it does not pass within settings.most_requests. Throws as
/// judge.
[[nodiscard]] std::optional<std::size_t> good_requests_to_pass(const std::vector<part>& parts,
                                                               const judge_settings& settings);

}  // namespace inferbench::limit
