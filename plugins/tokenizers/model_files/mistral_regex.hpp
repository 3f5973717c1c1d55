// Mistral's tokenizers of some releases cut words with the pattern of another model.
#pragma once

#include <string>

namespace tokenizers::model_files {

/// tokenizer.json with the pattern that Mistral's own library has, as `fix_mistral_regex` of
/// `transformers` puts it in: in place of the first step of a Sequence, else before the only step;
/// unchanged where the vocabulary has no more than 100,000 entries or nothing cuts words. Throws
/// ifb::failure where `json` is no JSON.
[[nodiscard]] std::string with_mistral_regex(std::string json);

}  // namespace tokenizers::model_files
