// The rules of the slow tokenizers of `transformers` around a SentencePiece model, by class.
#pragma once

#include "tokenizers/model_files/model_config.hpp"

namespace tokenizers::spm {

enum class family : std::uint8_t {
  llama,  // LlamaTokenizer, and the many classes derived from it
  gemma,  // GemmaTokenizer: no space is added anywhere
  t5      // T5Tokenizer: one end of text after each text, sentinels at the end of the vocabulary
};

struct rules {
  family as = family::llama;
  /// The behaviour before transformers 4.31: every stretch of text between two special tokens gets
  /// a space of its own. Also the default of a configuration without the member.
  bool legacy = true;
  bool add_prefix_space = true;
  bool add_bos = true;
  bool add_eos = false;
};

/// Throws ifb::failure (IFB_E_CONFIG) if the class uses its pieces differently.
[[nodiscard]] rules rules_of(const model_files::model_config& config);

/// Adds the special tokens of the class.
void complete(model_files::model_config& config, const rules& how, std::uint32_t pieces);

}  // namespace tokenizers::spm
