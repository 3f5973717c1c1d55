// What the slow tokenizers of `transformers` do around a SentencePiece model, by class.
#pragma once

#include "tokenizers/model_files/model_config.hpp"

namespace tokenizers::spm {

enum class family : std::uint8_t {
  llama,  // LlamaTokenizer, and the many that were made from it
  gemma,  // GemmaTokenizer: no space is added anywhere
  t5      // T5Tokenizer: one end of text after each text, sentinels at the end of the vocabulary
};

struct rules {
  family as = family::llama;
  /// The behaviour of before transformers 4.31: every piece of text between two special tokens is
  /// given a space of its own. It is also what a configuration means that does not say.
  bool legacy = true;
  bool add_prefix_space = true;
  bool add_bos = true;
  bool add_eos = false;
};

/// Throws ifb::failure (IFB_E_CONFIG) where the class does something else with its pieces.
[[nodiscard]] rules rules_of(const model_files::model_config& config);

/// Puts in the special tokens that the class has by itself.
void complete(model_files::model_config& config, const rules& how, std::uint32_t pieces);

}  // namespace tokenizers::spm
