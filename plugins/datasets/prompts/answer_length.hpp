// The wanted length of the answer to a row.
#pragma once

#include <cstdint>

#include "datasets/common/jsonl.hpp"

namespace prompts {

inline constexpr std::int64_t longest_answer = 2147483647;

/// The value of the option that selects the length in each row.
inline constexpr std::int64_t of_each_row = -1;

/// The value in a sample that does not specify a length.
inline constexpr std::int64_t left_to_the_server = -1;

/// Throws ifb::failure (IFB_E_CONFIG, option "output-len") unless `chosen` is of_each_row or a
/// valid length.
void check_answer_length(std::int64_t chosen);

/// Returns the row's "output_tokens" as Python's int() reads it: the integer part of a number, or a
/// text of digits. Throws ifb::failure like row.refuse() if the member is missing, or is not from 1
/// to longest_answer.
[[nodiscard]] std::int64_t answer_length_of(const files::json_row& row);

}  // namespace prompts
