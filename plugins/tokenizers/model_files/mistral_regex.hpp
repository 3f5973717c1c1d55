// In some releases Mistral's tokenizers cut words with the pattern of another model.
#pragma once

#include <string>

namespace tokenizers::model_files {

/// tokenizer.json with the pattern of Mistral's own library, as `fix_mistral_regex` of
/// `transformers` inserts it: in place of the first step of a Sequence, else before the only step.
/// Unchanged if the vocabulary has at most 100,000 entries or no step cuts words. Throws
/// ifb::failure if `json` is no JSON.
[[nodiscard]] std::string with_mistral_regex(std::string json);

}  // namespace tokenizers::model_files
