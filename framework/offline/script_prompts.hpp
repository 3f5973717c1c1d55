// The prompts of upstream's stand-alone scripts, as options of data sets: what the commands
// prefix-caching, long-document-qa and prioritization have in common.
#pragma once

#include <cstdint>
#include <string>

#include "offline/dataset_options.hpp"
#include "offline/offline_line.hpp"

namespace inferbench::offline {

/// Makes `data`, which has a path, the conversations of a file: each prompt once, in an order that
/// the seed decides, with the tokenizer of `line`. Throws base::error if `data.output_len` is below
/// 4 tokens, as upstream's scripts do, and the errors of seed_of().
void read_file(dataset_options& data, const offline_line& line);

/// Makes `data` the prompts that the script makes itself and whose tokens nobody has to count. The
/// user's tokenizer counts them for a server; for an engine there is no tokenizer. Throws the
/// errors of seed_of().
void make_prompts(dataset_options& data, const offline_line& line);

/// The same for prompts of random tokens, which need the tokenizer.
void make_random_prompts(dataset_options& data, const offline_line& line);

/// Throws base::error if `prompts` repeated `repeats` times are more than 2^31 - 1 requests. Both
/// are at least 1 and below 2^31.
void require_countable(std::int64_t prompts, std::int64_t repeats);

/// The tokenizer of the prompts if the user names none: the model, or empty if the prompts need no
/// tokenizer.
[[nodiscard]] std::string tokenizer_of_prompts(const dataset_options& data,
                                               const std::string& model);

}  // namespace inferbench::offline
