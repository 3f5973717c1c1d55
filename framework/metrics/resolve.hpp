// Determines the token counts of a request and its answer if the record lacks them. This is done
// once, on the collector's thread, so that journal, figures and reporters agree.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "client/record.hpp"

namespace inferbench::metrics {

/// The origin of a record's output token count.
enum class token_source : std::uint8_t {
  server,  // its usage, not zero
  text,    // the text of the answer, by the run's tokenizer
  assumed  // neither: one token, as upstream has it
};

/// Tokens of a text without special tokens; nullopt when the tokenizer fails.
/// Empty: the run has no tokenizer.
using token_counter = std::function<std::optional<std::uint64_t>(std::string_view)>;

/// Conditions that a success has to meet.
struct expectations {
  /// The server was told to go on past the end of sequence: an answer has the length asked for.
  bool whole_length = false;
  bool strict = false;  // --strict-answers: an answer that ended early is a failure
};

/// Fills in prompt_tokens and output_tokens by upstream's rules:
/// - prompt: the server's count, else the client's (never sent by a pooling server: 0);
/// - output of a success: the server's count unless it is zero, else that of the text,
///   else 1. A failure keeps what the server said; pooling has no output.
/// A count that is not the server's leaves the attribute `output_tokens_from` in the
/// record, "text" or "assumed". A record that has it is settled: read from a journal it
/// yields the same count and source, with or without a tokenizer.
///
/// A success that is shorter by the server's count than was promised gets the attribute
/// `short_answer`, "2 of 50"; backends set `end_mark`, "none", where an answer just stopped.
/// Where `expected` is strict, either makes it a failure.
token_source resolve(client::record& record, bool pooling, const token_counter& counter,
                     const expectations& expected = {});

/// Whether a success ended early, by the attributes above.
[[nodiscard]] bool without_end_mark(const client::record& record) noexcept;
[[nodiscard]] bool shorter_than_promised(const client::record& record) noexcept;

}  // namespace inferbench::metrics
