// Numbers in texts, as Python's float() and int() read them: limits of criteria, numbers that a
// result file has as texts, and --num-prompts. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace inferbench::pytext {

/// float(text): "300", " +1_000.5 ", ".5", "5.", "1e3", "inf", "-Infinity", "nan"; nullopt for any
/// other text. Digits beyond ASCII, which Python reads too, are not read. A number beyond the range
/// of a double is infinite.
[[nodiscard]] std::optional<double> python_float(std::string_view text);

/// int(text): "1_000", " +5 "; nullopt for any other text and beyond 64 bits.
[[nodiscard]] std::optional<std::int64_t> python_int(std::string_view text);

}  // namespace inferbench::pytext
