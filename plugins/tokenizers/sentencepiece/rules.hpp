// The rules that each class of the slow tokenizers of `transformers` adds to a SentencePiece model.
#pragma once

#include "tokenizers/model_files/model_config.hpp"

namespace tokenizers::spm {

enum class family : std::uint8_t {
  llama,  // LlamaTokenizer, and the many classes derived from it
  gemma,  // GemmaTokenizer: adds no space anywhere
  t5  // T5Tokenizer: one end-of-text token after each text; sentinels at the end of the vocabulary
};

struct rules {
  family as = family::llama;
  /// The behaviour before transformers 4.31: a space is added to every section of text between two
  /// special tokens. It is also the default if the configuration lacks the member.
  bool legacy = true;
  bool add_prefix_space = true;
  bool add_bos = true;
  bool add_eos = false;
};

/// Throws ifb::failure (IFB_E_CONFIG) if the class uses its pieces in a different way.
[[nodiscard]] rules rules_of(const model_files::model_config& config);

/// Adds the special tokens of the class.
void complete(model_files::model_config& config, const rules& how, std::uint32_t pieces);

}  // namespace tokenizers::spm
