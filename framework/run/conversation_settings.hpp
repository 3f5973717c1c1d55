// The settings of a plan for the sources of jobs of conversations.
#pragma once

#include <string>

#include "config/plan.hpp"
#include "run/conversation_clients.hpp"
#include "run/conversations.hpp"

namespace inferbench::run {

/// Throws base::error for the first setting of conversations that the user gave although the
/// dataset has none.
void require_conversations(const config::plan& plan);

/// The settings without clients. `endless`: the dataset has any number of conversations.
[[nodiscard]] conversations::settings schedule_settings(const config::plan& plan, bool endless);

/// The settings with clients; the plan must have them.
[[nodiscard]] conversation_clients::settings client_settings(const config::plan& plan);

}  // namespace inferbench::run
