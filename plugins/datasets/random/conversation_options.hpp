// The options of the dataset random that are about conversations.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>

#include <inferbench/options.hpp>

namespace random_chat {

/// A base of the dataset's options.
struct conversation_options {
  bool conversations = false;
  std::int64_t num_turns = 3;
  std::int64_t min_turns = 0;  // 0: num_turns
  std::int64_t max_turns = 0;  // 0: num_turns
  std::string per_turn_input_len = "0";
  double global_ratio = 0;
  double conversation_ratio = 0;

  /// Returns whether each turn is sent alone, without the turns before it.
  [[nodiscard]] bool separate_turns() const noexcept {
    return global_ratio > 0 || conversation_ratio > 0;
  }

  /// Throws ifb::failure (IFB_E_CONFIG) for an option that differs from its default but has no
  /// effect, because there are no conversations.
  void refuse_unused() const;

  /// The options as a part of the schema of `owner`, a class that is derived from this class.
  template <typename owner>
  static constexpr auto conversation_schema() {
    using number = ifb::option<owner, std::int64_t>;
    using ratio = ifb::option<owner, double>;
    constexpr double most_turns = 100'000;
    return std::tuple{
        ifb::option<owner, bool>{"conversations", &owner::conversations,
                                 "Make conversations of several turns instead of single prompts.",
                                 "false"}
            .general(),
        number{"multi-turn-num-turns", &owner::num_turns,
               "Turns of a conversation: messages of the user, each with an answer.", "3"}
            .flag("multi-turn-num-turns")
            .value_name("COUNT")
            .range(1, most_turns),
        number{"multi-turn-min-turns", &owner::min_turns,
               "Fewest turns of a conversation; the number of turns is drawn for each "
               "conversation. 0: multi-turn-num-turns.",
               "0"}
            .flag("multi-turn-min-turns")
            .value_name("COUNT")
            .range(0, most_turns),
        number{"multi-turn-max-turns", &owner::max_turns,
               "Most turns of a conversation. 0: multi-turn-num-turns.", "0"}
            .flag("multi-turn-max-turns")
            .value_name("COUNT")
            .range(0, most_turns),
        ifb::option<owner, std::string>{"per-turn-input-len", &owner::per_turn_input_len,
                                        "Mean length in tokens of the user's messages after the "
                                        "first, or a distribution. 0: input-len.",
                                        "0"}
            .flag("per-turn-input-len")
            .value_name("LENGTH"),
        ratio{"multi-turn-prefix-global-ratio", &owner::global_ratio,
              "Part of the first message's length with which every message of all conversations "
              "begins. Above 0, each turn is sent alone, without the turns before it.",
              "0.0"}
            .flag("multi-turn-prefix-global-ratio")
            .value_name("RATIO")
            .range(0, 1),
        ratio{"multi-turn-prefix-conversation-ratio", &owner::conversation_ratio,
              "Part of the first message's length that all messages of one conversation have in "
              "common, after the beginning of all conversations. Above 0, each turn is sent "
              "alone, without the turns before it.",
              "0.0"}
            .flag("multi-turn-prefix-conversation-ratio")
            .value_name("RATIO")
            .range(0, 1)};
  }
};

}  // namespace random_chat
