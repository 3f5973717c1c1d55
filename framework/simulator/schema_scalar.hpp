// Texts and numbers that a JSON schema accepts; schema_instance.hpp says which keywords are known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/json.hpp"

namespace inferbench::simulator {

/// The most bytes of a value, and the largest number of characters or elements that is read.
inline constexpr std::size_t largest_schema_value = std::size_t{64} << 10U;

/// The count that the member `name` has; nullopt: there is none, or it is negative or too large.
[[nodiscard]] std::optional<std::uint64_t> count_in(const base::json_value& schema,
                                                    const char* name);

// The functions below append one value as JSON, and return false if they cannot.

/// A text: a word, as long as the schema wants it. `next_word`: the number of the word, which is
/// then advanced.
[[nodiscard]] bool append_text_value(std::string& out, const base::json_value& schema,
                                     std::size_t& next_word);
/// A number, which is whole if `whole` is true: 1 if it fits, otherwise one near a limit.
[[nodiscard]] bool append_number_value(std::string& out, const base::json_value& schema,
                                       bool whole);

}  // namespace inferbench::simulator
