#include "perf/failed_requests.hpp"

#include <cmath>

#include <fmt/format.h>

#include "sweep/level.hpp"

namespace inferbench::perf {

std::optional<std::string> failed_requests_text(const ifb::json_value& result) {
  const double failed = sweep::failed_requests(result);
  const bool counted = std::isfinite(failed) && failed > 0;
  if (sweep::completed_nothing(result))
    return (counted ? fmt::format("all {:.0f} requests failed", failed)
                    : std::string("no request was completed")) +
           ": the latencies in the row are no measurements";
  if (!counted) return std::nullopt;
  const ifb::json_value* const completed = ifb::find(&result, "completed");
  const std::string all = completed != nullptr && completed->IsNumber()
                              ? fmt::format(" of {:.0f}", failed + completed->GetDouble())
                              : std::string();
  return fmt::format("{:.0f}{} requests failed: the row has the figures of the others", failed,
                     all);
}

}  // namespace inferbench::perf
