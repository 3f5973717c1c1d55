// The number of turns of random conversations, and the lengths of their messages.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include <inferbench/random.hpp>

#include "conversation_options.hpp"
#include "datasets/synthetic/draws.hpp"
#include "datasets/synthetic/endless_prompts.hpp"
#include "datasets/synthetic/length.hpp"
#include "datasets/synthetic/range_ratio.hpp"

namespace random_chat {

/// The lengths that the dataset's other options give, in tokens.
struct given_lengths {
  synthetic::length input;
  synthetic::length output;
  synthetic::length prefix;
  synthetic::range_ratio ratio;
};

/// All lengths are in tokens. Immutable; any thread, if each thread has its own generator.
class conversation_lengths {
 public:
  /// `special` is the number of tokens that the model adds to a prompt. They are subtracted from
  /// the first message and, if each turn is sent alone, from every message. `seed` is the seed of
  /// the run. It is needed if each turn is sent alone: the beginnings that messages have in common
  /// are shares of the mean length of the first messages, and for a distribution of lengths this is
  /// the mean of the lengths that the first 1000 conversations draw with the seed. Throws
  /// ifb::failure (IFB_E_CONFIG, with the option's name) for numbers of turns or lengths that do
  /// not fit together.
  [[nodiscard]] static conversation_lengths of(const conversation_options& chosen,
                                               const given_lengths& given, std::int64_t special,
                                               std::uint64_t seed);

  /// The lengths to draw for the first turn. In a draw, `prefix` is the length of the beginning
  /// that all conversations have in common, and `input` is the length of the message after all
  /// common beginnings.
  [[nodiscard]] const synthetic::endless_lengths& first() const noexcept { return first_; }

  /// Draws the number of turns, which is at least 1.
  [[nodiscard]] std::int64_t draw_turns(ifb::numpy_pcg64& random) const;
  /// Draws a turn after the first. Its `prefix` is 0; `offset` is a number in [0, vocabulary).
  [[nodiscard]] synthetic::draw draw_later(ifb::numpy_pcg64& random, std::int64_t vocabulary) const;

  /// Returns whether each turn is sent alone, without the turns before it.
  [[nodiscard]] bool separate() const noexcept { return separate_; }
  /// Returns the length of the beginning that the messages of one conversation have in common,
  /// after the beginning of all conversations; 0 if the turns have a history.
  [[nodiscard]] std::uint32_t own_prefix() const noexcept { return own_prefix_; }

  /// Returns a text such as "conversations of 2 to 5 turns, first messages of 100 tokens, later
  /// messages of 20, answers of 128".
  [[nodiscard]] std::string text() const;

 private:
  conversation_lengths(synthetic::endless_lengths first, synthetic::length_range later)
      : first_(std::move(first)), later_(std::move(later)) {}

  void set_turns(const conversation_options& chosen);
  void set_prefixes(const conversation_options& chosen, double mean);

  std::int64_t least_turns_ = 1;
  std::int64_t most_turns_ = 1;
  synthetic::endless_lengths first_;
  synthetic::length_range later_;
  bool prefixed_ = false;
  bool separate_ = false;
  std::uint32_t global_prefix_ = 0;  // common to all conversations, after the prefix of prefix-len
  std::uint32_t own_prefix_ = 0;
};

}  // namespace random_chat
