// The warm-up of conversations (--conversation-warm-up): sends the first turn of each conversation
// before the run and keeps the answers. No figure includes these requests.
#pragma once

#include <cstddef>

#include "dataset/feed.hpp"
#include "metrics/resolve.hpp"
#include "prompts/lora.hpp"
#include "run/conversation_clients.hpp"
#include "run/rehearsal.hpp"

namespace inferbench::run {

/// Sends the first turns with the clients of `wanted`, each with one conversation at a time.
/// `count` may be empty. Starts and stops the feed; `ahead`: the number of samples that it
/// prefetches. Logs the number of failures. Throws base::error if the user stops the program.
[[nodiscard]] first_answers answer_first_turns(const rehearsal& with, dataset::feed& samples,
                                               const prompts::lora_modules& adapters,
                                               conversation_clients::settings wanted,
                                               const metrics::token_counter& count,
                                               std::size_t ahead);

}  // namespace inferbench::run
