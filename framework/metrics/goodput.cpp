#include "metrics/goodput.hpp"

#include <algorithm>
#include <optional>
#include <variant>

#include "metrics/latency.hpp"
#include "metrics/request_times.hpp"

namespace inferbench::metrics {

good_request::good_request(definitions from, const limits& goodput) {
  for (const definition& row : from)
    if (const auto* of = std::get_if<of_request>(&row.how); of != nullptr)
      for (const auto& [name, most_ms] : goodput)
        if (name == row.name) limits_.emplace_back(*of, most_ms);
}

bool good_request::meets(const request_times& f) const {
  return std::ranges::all_of(limits_, [&](const auto& limit) {
    const auto value = limit.first(f);
    return !value || value->value_ms() <= limit.second;
  });
}

}  // namespace inferbench::metrics
