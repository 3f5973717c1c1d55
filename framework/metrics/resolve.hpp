// Determines the token counts of a request and its answer if the record does not have them. This is
// done once, on the collector's thread, so that journal, figures and reporters have the same
// counts.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "client/record.hpp"

namespace inferbench::metrics {

/// The origin of a record's output token count.
enum class token_source : std::uint8_t {
  server,  // the server's usage, if it is not zero
  text,    // the run's tokenizer counted the text of the answer
  assumed  // neither is known: one token is assumed, like in upstream
};

/// Returns the number of tokens of a text, without special tokens; nullopt if the tokenizer fails.
/// The function is empty if the run has no tokenizer.
using token_counter = std::function<std::optional<std::uint64_t>(std::string_view)>;

/// Conditions that a successful request has to meet.
struct expectations {
  /// The server was told to ignore the end of sequence, so each answer must have the length asked
  /// for.
  bool whole_length = false;
  bool strict = false;  // --strict-answers: an answer that ended early is a failure
};

/// Fills in prompt_tokens and output_tokens by upstream's rules:
/// - prompt: the server's count, otherwise the client's count; for pooling, the server's count of
///   a success, otherwise 0;
/// - output of a success: the server's count unless it is zero, otherwise the tokenizer's count
///   of the text, otherwise 1. A failure keeps the server's count; pooling has no output.
/// If the output count does not come from the server, the record gets the attribute
/// `output_tokens_from`: "text" or "assumed". A record with this attribute is not counted again: if
/// it is read from a journal, it yields the same count and source, with or without a tokenizer.
///
/// If a successful answer is shorter than promised, by the server's count, the record gets the
/// attribute `short_answer`, for example "2 of 50". Backends set `end_mark` to "none" if an answer
/// stopped without an end mark. If `expected.strict` is true, each of these attributes turns the
/// success into a failure.
token_source resolve(client::record& record, bool pooling, const token_counter& counter,
                     const expectations& expected = {});

/// Whether a success ended early, according to the attribute `end_mark` or `short_answer`.
[[nodiscard]] bool without_end_mark(const client::record& record) noexcept;
[[nodiscard]] bool shorter_than_promised(const client::record& record) noexcept;

}  // namespace inferbench::metrics
