// Samples as token ids of the model.
#pragma once

#include <vector>

#include <inferbench/abi.h>
#include <inferbench/arena.hpp>

#include "model.hpp"

namespace llama_cpp {

/// Returns the tokens of the prompt: those of the sample, or those of its text, with the special
/// tokens that the model wants in front of a text. Messages, and the text and parts of a batch of
/// chats (`chat`), go through the model's chat template; `memory` holds their text meanwhile.
/// Throws failure: IFB_E_UNSUPPORTED for a sample that is not one prompt of text, tokens or
/// messages or has a priority, IFB_E_DATA for an id outside the vocabulary or an empty prompt.
[[nodiscard]] std::vector<llama_token> prompt_of(const model& with, const ifb_sample& sample,
                                                 bool chat, ifb::arena memory);

/// Throws failure with IFB_E_DATA if the prompt leaves no room for a token of output.
void check_length(const model& with, std::size_t prompt_tokens);

}  // namespace llama_cpp
