// The caches of a server under test are emptied after every benchmark run, so that the next run
// finds the same server.
#pragma once

#include <string>
#include <vector>

#include "experiment/foreground_command.hpp"
#include "transport/resolver.hpp"

namespace inferbench::experiment {

/// The path of the caches that vLLM offers in its development mode, in the order of the requests.
inline constexpr const char* cache_resets[] = {"/reset_prefix_cache", "/reset_mm_cache",
                                               "/reset_encoder_cache"};

/// Throws base::error if reset_caches() has no way to empty the caches of this server: the program
/// ends neither with "vllm" nor with "infinity_emb" and is not `inferbench simulate`, or it is
/// infinity_emb with --vector-disk-cache.
void require_reset(const std::vector<std::string>& server_command);

/// Sends the requests that empty the caches of a vLLM server or of the simulator, and prints a line
/// before. Does nothing for infinity_emb, which has no cache. Throws base::error for a server that
/// require_reset() refuses, for an answer with an error status, and without an answer, and
/// stopped_sweep if the user interrupts.
void reset_caches(const std::vector<std::string>& server_command, const transport::endpoint& where,
                  const command_surroundings& with);

}  // namespace inferbench::experiment
