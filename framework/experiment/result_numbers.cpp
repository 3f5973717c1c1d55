#include "experiment/result_numbers.hpp"

#include <cmath>
#include <limits>

#include "base/text.hpp"

namespace inferbench::experiment {

std::optional<double> number_in_result(const ifb::json_value* of) {
  if (of == nullptr) return std::nullopt;
  if (of->IsNumber())
    return std::isnan(of->GetDouble()) ? std::nullopt : std::optional(of->GetDouble());
  const std::string_view text = ifb::text_of(of);
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  return std::nullopt;
}

std::optional<double> percentile_in_result(std::string_view text) {
  const auto percentile = base::parse_float(text);
  if (!percentile || !(*percentile >= 0 && *percentile <= 100)) return std::nullopt;
  return percentile;
}

}  // namespace inferbench::experiment
