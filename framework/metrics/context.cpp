#include "metrics/context.hpp"

#include <algorithm>

namespace inferbench::metrics {

void context::set_fact(std::string_view name, std::string json) {
  const auto same =
      std::ranges::find(facts, name, [](const auto& f) -> std::string_view { return f.first; });
  if (same == facts.end())
    facts.emplace_back(name, std::move(json));
  else
    same->second = std::move(json);
}

}  // namespace inferbench::metrics
