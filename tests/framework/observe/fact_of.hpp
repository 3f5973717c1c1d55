// What a run says of one of its facts.
#pragma once

#include <string>
#include <string_view>

#include "metrics/context.hpp"

namespace inferbench::observe {

/// Its JSON; empty where the run has no such fact.
inline std::string fact_of(const metrics::context& run, std::string_view name) {
  for (const auto& [known, json] : run.facts)
    if (known == name) return json;
  return {};
}

}  // namespace inferbench::observe
