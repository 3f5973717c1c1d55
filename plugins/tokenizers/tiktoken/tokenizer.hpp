// Tokenizer "tiktoken": for models that have a .tiktoken file and no tokenizer.json, for example
// OpenAI's encodings, the first Qwen and Kimi. Like in every other tokenizer here, special tokens
// in a text are recognised as special tokens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <inferbench/abi.h>
#include <inferbench/host.hpp>
#include <inferbench/options.hpp>
#include <inferbench/tokenizer.hpp>

#include "ranks.hpp"
#include "special_tokens.hpp"
#include "tokenizers/common/regex.hpp"
#include "tokenizers/model_files/model_options.hpp"

namespace tokenizers::tiktoken {

/// Immutable: [any thread]. Failures are thrown as ifb::failure.
class tokenizer {
 public:
  static constexpr const char* id = "tiktoken";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary = "The .tiktoken file of a model or an encoding.";
  static constexpr const char* license = "Apache-2.0";

  struct options : model_files::model_options {
    std::string pattern;
    static constexpr auto schema() {
      return std::tuple_cat(
          model_schema("The .tiktoken file, a folder that has one, or its name on Hugging Face; "
                       "else that of the model."),
          std::tuple{ifb::option{
              "pattern", &options::pattern,
              "Pattern that cuts texts into pieces, which the file lacks: the name of an "
              "encoding (gpt2, cl100k_base, o200k_base, ...) or a regular expression. "
              "If not given, guessed from the name and the size of the file."}
                         .value_name("NAME_OR_REGEX")});
    }
  };

  /// Reads all files, and downloads them if necessary.
  tokenizer(ifb::host host, const options& chosen) : parts_(load(host, chosen)) {}

  [[nodiscard]] ifb_vocabulary vocabulary() const;
  [[nodiscard]] std::vector<std::uint32_t> encode(std::string_view text, std::uint32_t flags) const;
  [[nodiscard]] std::string decode(std::span<const std::uint32_t> ids, std::uint32_t flags) const;
  [[nodiscard]] std::uint64_t count(std::string_view text, std::uint32_t flags) const;
  [[nodiscard]] std::string render(std::string_view chat) const;

 private:
  struct parts {
    ranks base;
    special_tokens special;
    regex pattern;
    model_files::chat_templates chats;
    std::vector<std::uint32_t> bos;  // ids before a text, at most one
    std::vector<std::uint32_t> eos;  // ids after a text, at most one
    std::string source;
    std::string digest;
  };
  static parts load(ifb::host host, const options& chosen);
  void append(std::string_view text, std::vector<std::uint32_t>& ids) const;

  parts parts_;
};

}  // namespace tokenizers::tiktoken
