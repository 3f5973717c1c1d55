// Finds a fact of a run.
#pragma once

#include <string>
#include <string_view>

#include "metrics/context.hpp"

namespace inferbench::observe {

/// The fact's JSON; empty if the run has no such fact.
inline std::string fact_of(const metrics::context& run, std::string_view name) {
  for (const auto& [known, json] : run.facts)
    if (known == name) return json;
  return {};
}

}  // namespace inferbench::observe
