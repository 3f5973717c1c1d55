// A tokenizer at work on lines of JSON: what `inferbench tokenizer` answers.
//
//   encode   {"text": T}              -> {"ids": [...], "ids_special": [...]}
//            {"text": T, "pair": P}   -> the same and "type_ids" of ids_special
//   decode   {"ids": [...]}           -> {"decoded": T, "decoded_skip": T}
//   count    {"text": T}, or a pair   -> {"count": N}, as encode without special tokens
//   render   {"messages": [...], ...} -> {"rendered": T}
//
// Whatever a line holds, the answer is a line: {"error": KIND, "message": TEXT} where it
// cannot be answered. KIND is that of the chat template's fault (TemplateError,
// UndefinedError, ...), InvalidInput for a line that is not as above, else TokenizerError.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "services/tokenizer.hpp"

namespace inferbench::cli {

enum class tokenizer_task : std::uint8_t { encode, decode, count, render };

/// The answer to one line, without a line end. [any]
[[nodiscard]] std::string answer_line(const services::tokenizer& by, tokenizer_task task,
                                      std::string_view line);

/// {"tokenizer", "source", "digest", "vocab_size", "vocab_size_with_added", "special_ids",
/// "named_special_ids", "added_to_empty_text"}; null where the tokenizer does not know. The first
/// list has all that decoding can leave out, the second those that the configuration names.
[[nodiscard]] std::string info_line(const services::tokenizer& of);

}  // namespace inferbench::cli
