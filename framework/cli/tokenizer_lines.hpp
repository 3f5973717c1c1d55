// Answers lines of JSON with a tokenizer: for `inferbench tokenizer`.
//
//   encode   {"text": T}              -> {"ids": [...], "ids_special": [...]}
//            {"text": T, "pair": P}   -> the same and "type_ids" of ids_special
//   decode   {"ids": [...]}           -> {"decoded": T, "decoded_skip": T}
//   count    {"text": T}, or a pair   -> {"count": N}, as encode without special tokens
//   render   {"messages": [...], ...} -> {"rendered": T}
//
// The answer is always one line; it is {"error": KIND, "message": TEXT} if there is no result. KIND
// is the error of the chat template (TemplateError, UndefinedError, ...), InvalidInput for an input
// line of another form, and TokenizerError for all other errors. TEXT is the tokenizer's own
// message.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/log.hpp"
#include "services/tokenizer.hpp"

namespace inferbench::cli {

enum class tokenizer_task : std::uint8_t { encode, decode, count, render };

/// The answer to one line, without a line ending. [any thread]
[[nodiscard]] std::string answer_line(const services::tokenizer& by, tokenizer_task task,
                                      std::string_view line);

/// {"tokenizer", "source", "digest", "vocab_size", "vocab_size_with_added", "special_ids",
/// "named_special_ids", "added_to_empty_text"}; null for values that the tokenizer does not know.
/// special_ids has all ids that decoding can leave out, and named_special_ids has the ids that the
/// configuration names. `log` gets the tokenizer's reason if the vocabulary is not known.
[[nodiscard]] std::string info_line(const services::tokenizer& of, base::log& log);

}  // namespace inferbench::cli
