// In some releases, Mistral's tokenizers cut words with the pattern of another model. This function
// corrects the pattern.
#pragma once

#include <string>

namespace tokenizers::model_files {

/// Returns `json`, a tokenizer.json, with the pattern of Mistral's own library, like
/// `fix_mistral_regex` of `transformers`. The pattern replaces the first step of a Sequence, or is
/// inserted before a step that is not in a Sequence. The text is unchanged if the vocabulary has at
/// most 100,000 entries, or if no step cuts words. Throws ifb::failure if `json` is not JSON.
[[nodiscard]] std::string with_mistral_regex(std::string json);

}  // namespace tokenizers::model_files
