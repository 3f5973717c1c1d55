// Makes the parts of a tokenizer.json for old models.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "model_config.hpp"

namespace tokenizers::model_files {

enum class pipeline : std::uint8_t { gpt2, roberta, qwen2, bert };

/// Makes the JSON from vocab.json and merges.txt. Both functions throw ifb::failure that names the
/// file and the place in it.
[[nodiscard]] std::string byte_level_bpe_json(const model_config& config, pipeline as,
                                              const std::string& vocabulary,
                                              std::string_view merges);
/// Makes the JSON from vocab.txt. A token's id is the number of its line; if several lines contain
/// the token, the last line counts.
[[nodiscard]] std::string bert_wordpiece_json(const model_config& config,
                                              std::string_view vocabulary);

namespace vocabulary_json {

using writer = rapidjson::Writer<rapidjson::StringBuffer>;

/// Calls `body` with each line and its number, from 0.
template <typename call>
void each_line(std::string_view text, call&& body) {
  std::size_t number = 0;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    body(line, number++);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

inline void put(writer& out, std::string_view text) {
  out.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
}
inline void put(writer& out, const char* name, std::string_view text) {
  out.Key(name);
  put(out, text);
}
inline void put_flag(writer& out, const char* name, bool value) {
  out.Key(name);
  out.Bool(value);
}

}  // namespace vocabulary_json

}  // namespace tokenizers::model_files
