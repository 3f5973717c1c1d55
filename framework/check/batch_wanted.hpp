// The batches that the kit passes to an engine of the draft inferbench.batch-engine
// (sdk/include/inferbench/draft/batch_engine.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/draft/batch_engine.h>

#include "check/lent_memory.hpp"

namespace inferbench::check {

/// One sample of a batch, and the facts with which its result is judged.
struct wanted_sample {
  const char* json;                 // see lend_sample()
  std::int64_t ids = -1;            // number of token ids of the prompt; -1: the prompt is no ids
  std::int64_t output_tokens = -1;  // as in `json`
  std::uint32_t adapter = 0;        // number of the adapter; 0: the model itself
};

/// A batch as the kit wants it, for one call of run.
struct wanted_batch {
  std::string name;  // for messages, such as "a batch of 3 samples"
  std::vector<wanted_sample> samples;
  std::uint32_t mode = IFB_BATCH_GENERATE;
  std::uint32_t flags = 0;
  std::uint32_t n = 1;
  std::uint32_t beam_width = 1;
  std::int64_t max_tokens = 4;  // -1: output_tokens of each sample

  /// The wanted length of the outputs of a sample.
  [[nodiscard]] std::int64_t length_of(std::size_t sample) const noexcept {
    return max_tokens < 0 ? samples[sample].output_tokens : max_tokens;
  }
};

/// The batch for the engine, with all that it points to, in lent memory. Its sampling is that of
/// the commands: temperature and top_p 1, no end of sequence before the wanted length. `prefix`:
/// for the ids of requests.
[[nodiscard]] ifb_batch* lend_batch(lent_memory& memory, const wanted_batch& wanted,
                                    std::string_view prefix);

/// A short prompt as text, as token ids, and as chat. Each is shorter than 16 tokens in any usual
/// tokenizer, and its ids are in any vocabulary.
[[nodiscard]] wanted_sample text_sample();
[[nodiscard]] wanted_sample ids_sample();
[[nodiscard]] wanted_sample chat_sample();

/// One sample of the kind that the mode takes.
[[nodiscard]] wanted_batch one_sample(std::uint32_t mode = IFB_BATCH_GENERATE);

}  // namespace inferbench::check
