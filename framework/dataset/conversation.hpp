// Splits a row that is a conversation into its requests (IFB_DATASET_SESSIONS). There is a request
// for each user message that the server must answer: a user message before an assistant's message,
// or a user message at the end. Reads roles and token counts only, not the contents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <inferbench/abi.h>

#include "dataset/sample.hpp"

namespace inferbench::dataset {

/// The metadata of a row whose turns are sent without the messages before them:
/// `conversation.history` = `none`.
inline constexpr std::string_view history_field = "conversation.history";
inline constexpr std::string_view no_history = "none";

/// One request of a conversation. It sends the messages of the row from number `first` up to, but
/// not including, number `messages`.
struct turn {
  std::uint32_t messages = 0;
  std::int64_t tokens = -1;         // tokens of the messages after the previous answer; -1: unknown
  std::int64_t answer_tokens = -1;  // requested length of the answer; -1: unknown
  bool answered = false;            // the row contains the answer to this request
  std::uint32_t first = 0;          // above 0 only if the row has no history
};

/// The sum of two lengths of 0 or more. A sum that is too large for the type is its largest value:
/// the lengths come from a plugin or a server and may be any number.
[[nodiscard]] std::int64_t sum_of_tokens(std::int64_t a, std::int64_t b) noexcept;

/// Whether each turn is sent with all messages before it.
[[nodiscard]] bool has_history(const ifb_sample& row) noexcept;

/// The requests of `row` in order; empty if the row has no request. `row` must consist of messages.
[[nodiscard]] std::vector<turn> turns_of(const ifb_sample& row);

/// Leaves out the turns whose prompt and wanted answer together have more than `most` tokens: with
/// a history all turns from the first such turn on, otherwise only such turns. A turn of unknown
/// length stays. Returns the number of turns that were left out; nullopt if then fewer than two
/// turns remain, or if the arena is exhausted.
[[nodiscard]] std::optional<std::size_t> cut_to(sample& row, std::int64_t most);

/// Reduces the row to its first request, for ready check and warm-up. The row must have at least
/// one request.
void keep_first_turn(sample& row);

}  // namespace inferbench::dataset
