// The configuration of a tokenizer: tokenizer_config.json, special_tokens_map.json,
// added_tokens.json and the chat templates. It is read in the same way as in the library
// `transformers`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "file_set.hpp"
#include "tokenizers/common/added_token.hpp"

namespace tokenizers::model_files {

/// A chat template of the model. If the model has only one template, its name is "default".
struct named_template {
  std::string name;
  std::string text;
  std::string file;  // name of its file, for messages
};

struct named_token {
  std::string name;  // for example "bos_token"
  added_token token;
};

struct numbered_token {
  std::uint32_t id = 0;
  added_token token;
};

/// A plain value.
struct model_config {
  /// The class name without "Fast" at its end; empty if the files do not name a class.
  std::string tokenizer_class;

  /// The named special tokens that are set, and further special tokens without names.
  std::vector<named_token> special;
  std::vector<added_token> more_special;
  /// The tokens of "added_tokens_decoder" or added_tokens.json, sorted by id.
  std::vector<numbered_token> added;

  // nullopt if the file lacks the member.
  std::optional<bool> add_bos_token;
  std::optional<bool> add_eos_token;
  std::optional<bool> add_prefix_space;
  std::optional<bool> do_lower_case;
  std::optional<bool> strip_accents;
  std::optional<bool> tokenize_chinese_chars;
  std::optional<bool> legacy;
  std::optional<bool> fix_mistral_regex;
  std::vector<std::string> versioned_files;  // the member "fast_tokenizer_files"

  std::vector<named_template> templates;
  /// There are several templates, or a template with a name. If so, a template is chosen for each
  /// prompt.
  bool templates_have_names = false;

  /// Returns the content of a named special token; empty if it is not set.
  [[nodiscard]] std::string_view token(std::string_view name) const;

  /// Returns all tokens that transformers adds to the vocabulary of the file, in the order of
  /// transformers.
  [[nodiscard]] std::vector<added_token> to_add() const;
};

/// Throws ifb::failure (IFB_E_CONFIG) that names the file and the JSON path.
[[nodiscard]] model_config read_model_config(file_set& files);

}  // namespace tokenizers::model_files
