// The members that a result file has only in the multi-turn mode of vLLM's Rust client.
#pragma once

#include "document.hpp"
#include "figures.hpp"
#include "json_value.hpp"
#include "turn_result.hpp"

namespace reporters {

/// Adds the settings of the mode, from `num_conversations` on.
void add_turn_settings(document& out, const multi_turn_run& of);

/// Adds the figures of the conversations, from `conversations_completed` on.
void add_conversation_figures(document& out, const multi_turn_run& of, const figures& found);

/// Adds `per_turn_metrics`.
void add_turn_figures(document& out, const figures& found, const json_value& facts);

}  // namespace reporters
