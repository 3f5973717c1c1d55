// The facts about a request that the engine uses.
#pragma once

#include <cstdint>

#include <inferbench/abi.h>

#include "reference_options.hpp"

namespace reference_engine {

struct request_facts {
  std::int64_t prompt_tokens = 0;
  std::int64_t output_tokens = 0;  // of each output
  std::uint64_t media = 0;         // images, videos and sounds
  bool stops = false;              // the output ends by itself before it has the wanted length
};

/// The wishes of a batch, or of a request that follows a schedule.
struct request_limits {
  bool chats = true;         // messages are taken
  bool ignores_eos = false;  // stop-after has no effect
  std::int64_t wanted = -1;  // length of each output; -1: that of the sample
};

/// Reads a sample. The length of a prompt of token ids is the number of ids; of any other prompt it
/// is the client's count, or the number of words if the client has not counted. Media within a
/// message that is JSON are not counted. Throws failure if the sample cannot be used:
/// IFB_E_UNSUPPORTED for a shape or a part that the engine does not take, IFB_E_CONFIG for an
/// output without a length of 1 or more, IFB_E_REMOTE if prompt and output are longer than
/// max-model-len.
[[nodiscard]] request_facts facts_of(const ifb_sample& sample, const request_limits& limits,
                                     const reference_options& given);

}  // namespace reference_engine
