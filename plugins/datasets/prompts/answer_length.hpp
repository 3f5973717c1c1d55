// The wanted length of the answer to a row.
#pragma once

#include <cstdint>

#include "datasets/common/jsonl.hpp"

namespace prompts {

inline constexpr std::int64_t longest_answer = 2147483647;

/// The value of the option that means: the length in the row.
inline constexpr std::int64_t of_each_row = -1;

/// The value of a sample without a wanted length.
inline constexpr std::int64_t left_to_the_server = -1;

/// Throws ifb::failure (IFB_E_CONFIG, option "output-len") unless `chosen` is of_each_row or a
/// length.
void check_answer_length(std::int64_t chosen);

/// The row's "output_tokens" as Python's int() reads it: the whole part of a number, or a text of
/// digits. Throws ifb::failure as row.refuse() does if it is missing, or not from 1 to
/// longest_answer.
[[nodiscard]] std::int64_t answer_length_of(const files::json_row& row);

}  // namespace prompts
