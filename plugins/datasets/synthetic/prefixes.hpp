// The common beginning of prompts: --random-prefix-len.
#pragma once

#include <cstdint>

#include <inferbench/host.hpp>
#include <inferbench/random.hpp>

#include "draws.hpp"
#include "endless_prompts.hpp"
#include "prompt_maker.hpp"
#include "run_maker.hpp"
#include "run_prompts.hpp"

namespace synthetic {

/// Draws the prefix of each prompt in `recipe.draws`, and then the common beginning of all prompts,
/// which is as long as the longest prefix. If all prefixes have length 0, nothing is drawn. Warns
/// if the beginning does not have its length. Throws the exceptions of the tokenizer.
void draw_prefixes(ifb::host host, const prompt_maker& maker, const length_range& prefixes,
                   ifb::numpy_pcg64& random, run_recipe& recipe);

/// Makes the common beginning of prompts without an end. Their prefixes are at most as long as the
/// longest prefix of the first 1000 prompts. Otherwise like draw_prefixes().
void draw_endless_prefix(ifb::host host, const prompt_maker& maker, const endless_lengths& lengths,
                         std::uint64_t seed, run_style& style);

}  // namespace synthetic
