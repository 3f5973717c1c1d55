#include "conversation_options.hpp"

#include <inferbench/guard.hpp>

namespace random_chat {

void conversation_options::refuse_unused() const {
  if (conversations) return;
  const conversation_options usual;
  const auto refuse = [](bool differs, const char* name) {
    if (differs) throw ifb::failure(IFB_E_CONFIG, "is about conversations; add --multi-turn", name);
  };
  refuse(num_turns != usual.num_turns, "multi-turn-num-turns");
  refuse(min_turns != usual.min_turns, "multi-turn-min-turns");
  refuse(max_turns != usual.max_turns, "multi-turn-max-turns");
  refuse(per_turn_input_len != usual.per_turn_input_len, "per-turn-input-len");
  refuse(global_ratio > 0, "multi-turn-prefix-global-ratio");
  refuse(conversation_ratio > 0, "multi-turn-prefix-conversation-ratio");
}

}  // namespace random_chat
