// Tokenizer "hf": reads a model's tokenizer.json and the files beside it, in the same way as
// Hugging Face's libraries `tokenizers` and `transformers`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <inferbench/abi.h>
#include <inferbench/host.hpp>
#include <inferbench/options.hpp>
#include <inferbench/tokenizer.hpp>

#include "tokenizer.hpp"
#include "tokenizers/model_files/model_options.hpp"

namespace tokenizers::hf {

/// Immutable: [any thread]. Failures are thrown as ifb::failure.
class model_tokenizer {
 public:
  static constexpr const char* id = "hf";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary =
      "The tokenizer of a model: tokenizer.json of a folder, the local cache or Hugging Face.";
  static constexpr const char* license = "Apache-2.0";

  struct options : model_files::model_options {
    bool legacy_bos_eos = false;
    bool fix_mistral_regex = false;
    bool template_only = false;
    static constexpr auto schema() {
      return std::tuple_cat(
          model_schema("Folder of the tokenizer, or its name on Hugging Face; else that of the "
                       "model."),
          std::tuple{
              ifb::option{"legacy-bos-eos", &options::legacy_bos_eos,
                          "Let add_bos_token and add_eos_token of tokenizer_config.json decide, as "
                          "transformers 4 did, and not tokenizer.json.",
                          "false", IFB_OPT_ADVANCED},
              ifb::option{"fix-mistral-regex", &options::fix_mistral_regex,
                          "Repair the pattern of Mistral tokenizers that were published with a "
                          "wrong one, as in transformers.",
                          "false", IFB_OPT_ADVANCED},
              ifb::option{"template-only", &options::template_only,
                          "Only render chats: the vocabulary is not read and may be missing.",
                          "false", IFB_OPT_ADVANCED}});
    }
  };

  /// Reads all files, and downloads them if necessary.
  model_tokenizer(ifb::host host, const options& chosen);

  [[nodiscard]] ifb_vocabulary vocabulary() const;
  [[nodiscard]] std::vector<std::uint32_t> encode(std::string_view text, std::uint32_t flags) const;
  [[nodiscard]] std::string decode(std::span<const std::uint32_t> ids, std::uint32_t flags) const;
  [[nodiscard]] std::uint64_t count(std::string_view text, std::uint32_t flags) const;
  [[nodiscard]] ifb::pair_encoding encode_pair(std::string_view text, std::string_view pair,
                                               std::uint32_t flags) const;
  [[nodiscard]] std::string render(std::string_view chat) const;

 private:
  struct parts {
    std::optional<tokenizer> tokens;  // nullopt if only chat templates are needed
    model_files::chat_templates chats;
    std::vector<std::uint32_t> named;  // ids of the special tokens in the configuration
    std::string source;
    std::string digest;
  };
  static parts load(ifb::host host, const options& chosen);
  [[nodiscard]] const tokenizer& tokens() const;

  parts parts_;
  std::uint32_t added_ = 0;  // the number of ids of an empty text
};

}  // namespace tokenizers::hf
