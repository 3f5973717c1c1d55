// A row that is a conversation, taken apart into the requests that it makes
// (IFB_DATASET_SESSIONS). A request is made for each message of the user before which
// the server is to answer: one that an assistant's message follows, or the last.
// Pure: looks at no content.
#pragma once

#include <cstdint>
#include <vector>

#include <inferbench/abi.h>

#include "dataset/sample.hpp"

namespace inferbench::dataset {

/// One request of a conversation.
struct turn {
  std::uint32_t messages = 0;  // of the row that it sends, from the first
  std::int64_t tokens = -1;    // of those since the request before it and its answer; -1: unknown
  std::int64_t answer_tokens = -1;  // how long the answer is to be; -1: unknown
  bool answered = false;            // the row goes on with an answer
};

/// In their order; empty when the row asks nothing. `row` has messages.
[[nodiscard]] std::vector<turn> turns_of(const ifb_sample& row);

/// Leaves the first request of the row, for ready check and warm-up. The row asks something.
void keep_first_turn(sample& row);

}  // namespace inferbench::dataset
