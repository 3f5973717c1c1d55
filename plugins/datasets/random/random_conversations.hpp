// Conversations of synthetic messages. Each conversation has a generator of its own
// (row_random.hpp), so conversations can be made in any order and on several threads. The first
// message of a conversation is made like a prompt of the dataset without an end: a run of
// neighbouring ids after a common beginning, fitted to its length.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <inferbench/dataset.hpp>
#include <inferbench/host.hpp>
#include <inferbench/random.hpp>

#include "conversation_lengths.hpp"
#include "datasets/synthetic/draws.hpp"
#include "datasets/synthetic/mismatch.hpp"
#include "datasets/synthetic/prompt_maker.hpp"
#include "datasets/synthetic/run_maker.hpp"

namespace random_chat {

/// Any thread.
class random_conversations {
 public:
  /// `allowed` are the ids from which messages are made; `wanted` is the number of conversations, 0
  /// or less: any number. Makes the beginning that all conversations have in common, and warns if
  /// it does not have its length. Throws the exceptions of the tokenizer.
  random_conversations(ifb::host host, const synthetic::prompt_maker& maker,
                       std::vector<std::uint32_t> allowed, conversation_lengths lengths,
                       std::int64_t wanted, std::uint64_t seed);

  /// Returns the number of rows, and the flags that the dataset's class does not have.
  [[nodiscard]] ifb_dataset_info info() const noexcept;

  /// Stores conversation `row`: a message of the user and an answer for each turn. An answer has no
  /// text; its tokens are the wanted length. If each turn is sent alone, the metadata "history" is
  /// "none", which the host reads. Every call stores the same content. No two messages of
  /// the user are equal, unless their length and the vocabulary allow too few texts. When the first
  /// 1000 conversations (or all, if there are fewer) were made, a warning reports how many of them
  /// do not have their length. Throws the exceptions of the tokenizer.
  ifb::row_result read(std::uint64_t row, ifb::arena memory, ifb_sample& out) const;

 private:
  /// A message of the user with its tokens in `ids`.
  [[nodiscard]] synthetic::fit_result message_after(std::span<const std::uint32_t> beginning,
                                                    std::size_t target, const synthetic::draw& turn,
                                                    std::span<const std::string> earlier,
                                                    ifb::numpy_pcg64& random) const;
  /// The ids with which each message of a conversation begins, if each turn is sent alone.
  [[nodiscard]] std::vector<std::uint32_t> with_own_prefix(std::span<const std::uint32_t> global,
                                                           std::size_t target,
                                                           ifb::numpy_pcg64& random) const;

  ifb::host host_;
  synthetic::prompt_maker maker_;
  synthetic::run_style style_;
  conversation_lengths lengths_;
  std::int64_t wanted_;
  std::uint64_t seed_;
  mutable synthetic::row_mismatches wrong_;
};

}  // namespace random_chat
