// The number of requests with which a probe (a run of the search at one load) can prove its goals.
// With it, a search in which no probe could pass is refused before the first probe. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "limit/judge.hpp"

namespace inferbench::limit {

/// The number of requests, with the warm-up, after which a probe passes its parts of the kind
/// part_kind::share if no request is over a limit; 0 without such parts. nullopt: the probe ends
/// at settings.most_requests or settings.most_counted before it passes. A probe with some requests
/// over a limit may pass after fewer requests: its warm-up ends early if it contains 20 such
/// requests, and they may show that requests are correlated less than settings.assumed_correlation.
/// Throws base::error if there are parts of this kind and the constructor of judge refuses them or
/// the settings.
[[nodiscard]] std::optional<std::size_t> good_requests_to_pass(const std::vector<part>& parts,
                                                               const judge_settings& settings);

}  // namespace inferbench::limit
