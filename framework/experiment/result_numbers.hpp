// The numbers of a result file: numbers of JSON, and the texts with which result files write what
// JSON has no number for. Pure functions.
#pragma once

#include <optional>
#include <string_view>

#include <inferbench/json_reader.hpp>

namespace inferbench::experiment {

/// A number that is not NaN, or the text "inf" or "-inf". nullopt for other values and for nullptr.
[[nodiscard]] std::optional<double> number_in_result(const ifb::json_value* of);

/// "99.9" as 99.9. nullopt for a text that is no number from 0 to 100.
[[nodiscard]] std::optional<double> percentile_in_result(std::string_view text);

}  // namespace inferbench::experiment
