// The configuration of a tokenizer: tokenizer_config.json, special_tokens_map.json,
// added_tokens.json and the chat templates, read as the library `transformers` reads them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "file_set.hpp"
#include "tokenizers/common/added_token.hpp"

namespace tokenizers::model_files {

/// A chat template of the model. An only template is named "default".
struct named_template {
  std::string name;
  std::string text;
  std::string file;  // its file, for messages
};

struct named_token {
  std::string name;  // "bos_token"
  added_token token;
};

struct numbered_token {
  std::uint32_t id = 0;
  added_token token;
};

/// A value.
struct model_config {
  /// Without "Fast" at its end; empty if the files do not name it.
  std::string tokenizer_class;

  /// The named special tokens that are set, and further ones without names.
  std::vector<named_token> special;
  std::vector<added_token> more_special;
  /// "added_tokens_decoder" or added_tokens.json, by id.
  std::vector<numbered_token> added;

  // Absent if the file lacks the member.
  std::optional<bool> add_bos_token;
  std::optional<bool> add_eos_token;
  std::optional<bool> add_prefix_space;
  std::optional<bool> do_lower_case;
  std::optional<bool> strip_accents;
  std::optional<bool> tokenize_chinese_chars;
  std::optional<bool> legacy;
  std::optional<bool> fix_mistral_regex;
  std::vector<std::string> versioned_files;  // "fast_tokenizer_files"

  std::vector<named_template> templates;
  /// There are several templates, or one with a name: a template is chosen for each prompt.
  bool templates_have_names = false;

  /// The content of a named special token, or empty.
  [[nodiscard]] std::string_view token(std::string_view name) const;

  /// All tokens that transformers adds to those of the vocabulary's file, in its order.
  [[nodiscard]] std::vector<added_token> to_add() const;
};

/// Throws ifb::failure (IFB_E_CONFIG) that names file and JSON path.
[[nodiscard]] model_config read_model_config(file_set& files);

}  // namespace tokenizers::model_files
