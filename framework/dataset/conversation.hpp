// Splits a row that is a conversation into its requests (IFB_DATASET_SESSIONS). There is a request
// for each user message that the server must answer: a user message before an assistant's message,
// or a user message at the end. Reads roles and token counts only, not the contents.
#pragma once

#include <cstdint>
#include <vector>

#include <inferbench/abi.h>

#include "dataset/sample.hpp"

namespace inferbench::dataset {

/// One request of a conversation.
struct turn {
  std::uint32_t messages = 0;       // number of the row's messages, from the first, that the
                                    // request sends
  std::int64_t tokens = -1;         // tokens of the messages after the previous answer; -1: unknown
  std::int64_t answer_tokens = -1;  // requested length of the answer; -1: unknown
  bool answered = false;            // the row contains the answer to this request
};

/// The requests of `row` in order; empty if the row has no request. `row` must consist of messages.
[[nodiscard]] std::vector<turn> turns_of(const ifb_sample& row);

/// Reduces the row to its first request, for ready check and warm-up. The row must have at least
/// one request.
void keep_first_turn(sample& row);

}  // namespace inferbench::dataset
