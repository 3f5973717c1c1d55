// Numbers of a comparison as texts. Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace inferbench::comparison {

/// A change from 1 with its sign: 0.976 is "-2.40 %".
[[nodiscard]] std::string change_text(double ratio);

/// A share that has no sign: 0.0213 is "2.1 %".
[[nodiscard]] std::string share_text(double share);

/// A value with about four digits and without an exponent where possible: "1234", "12.35".
[[nodiscard]] std::string value_text(double value);

/// A p-value: "0.0123", "<0.0001".
[[nodiscard]] std::string chance_text(double p);

/// "1 block", "8 blocks": the noun with an s for all numbers but 1.
[[nodiscard]] std::string counted(std::size_t number, std::string_view noun);

}  // namespace inferbench::comparison
