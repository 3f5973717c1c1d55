// Tokenizer "sentencepiece": for models that have a tokenizer.model (or spiece.model) and no
// tokenizer.json. Ids and texts are the same as in the slow tokenizers of `transformers`:
// LlamaTokenizer, GemmaTokenizer and T5Tokenizer. An unknown class is treated as LlamaTokenizer,
// because most classes of models derive from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <inferbench/abi.h>
#include <inferbench/host.hpp>
#include <inferbench/tokenizer.hpp>

#include "pieces.hpp"
#include "rules.hpp"
#include "splitter.hpp"
#include "tokenizers/model_files/model_options.hpp"

namespace tokenizers::spm {

/// Immutable: [any thread]. Failures are thrown as ifb::failure.
class tokenizer {
 public:
  static constexpr const char* id = "sentencepiece";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary = "The tokenizer.model of a model, through SentencePiece.";
  static constexpr const char* license = "Apache-2.0";

  struct options : model_files::model_options {
    static constexpr auto schema() {
      return model_schema(
          "Folder of the tokenizer, its .model file, or its name on Hugging Face; "
          "else that of the model.");
    }
  };

  /// Reads all files, and downloads them if necessary.
  tokenizer(ifb::host host, const options& chosen) : parts_(load(host, chosen)) {}

  [[nodiscard]] ifb_vocabulary vocabulary() const;
  [[nodiscard]] std::vector<std::uint32_t> encode(std::string_view text, std::uint32_t flags) const;
  [[nodiscard]] std::string decode(std::span<const std::uint32_t> ids, std::uint32_t flags) const;
  [[nodiscard]] std::uint64_t count(std::string_view text, std::uint32_t flags) const;
  [[nodiscard]] ifb::pair_encoding encode_pair(std::string_view text, std::string_view pair,
                                               std::uint32_t flags) const;
  [[nodiscard]] std::string render(std::string_view chat) const;

 private:
  struct parts {
    rules how;
    pieces model;
    splitter known;
    model_files::chat_templates chats;
    std::vector<std::uint32_t> bos;  // ids before a text, at most one
    std::vector<std::uint32_t> eos;  // ids after a text, at most one
    std::string unknown;             // text that is put before a text that begins with a space
    std::size_t unknown_length = 0;  // number of ids of `unknown`
    std::unordered_set<std::uint32_t> special;  // the tokens that the configuration names
    std::unordered_set<std::uint32_t> apart;    // the tokens that are decoded separately
    std::vector<std::uint32_t> special_ids;     // in ascending order
    std::uint64_t total_size = 0;
    std::string source;
    std::string digest;
  };
  static parts load(ifb::host host, const options& chosen);
  void append(std::string_view text, std::vector<std::uint32_t>& ids) const;
  void append_plain(std::string_view text, std::vector<std::uint32_t>& ids) const;
  void close(std::vector<std::uint32_t>& ids, std::size_t begin) const;

  parts parts_;
};

}  // namespace tokenizers::spm
