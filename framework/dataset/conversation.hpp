// Splits a row that is a conversation into its requests (IFB_DATASET_SESSIONS). There is a request
// for each user message that the server must answer: one before an assistant's message, or the last
// message. Pure: looks at no content.
#pragma once

#include <cstdint>
#include <vector>

#include <inferbench/abi.h>

#include "dataset/sample.hpp"

namespace inferbench::dataset {

/// One request of a conversation.
struct turn {
  std::uint32_t messages = 0;       // number of messages of the row that it sends, from the first
  std::int64_t tokens = -1;         // of the messages since the previous answer; -1: unknown
  std::int64_t answer_tokens = -1;  // requested length of the answer; -1: unknown
  bool answered = false;            // the row has the answer of this request
};

/// The requests in order; empty if the row has no request. `row` has messages.
[[nodiscard]] std::vector<turn> turns_of(const ifb_sample& row);

/// Reduces the row to its first request, for ready check and warm-up. The row has at least one
/// request.
void keep_first_turn(sample& row);

}  // namespace inferbench::dataset
