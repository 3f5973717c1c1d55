// A small tokenizer.json whose parts a test replaces.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <inferbench/guard.hpp>

#include "tokenizers/hf/tokenizer.hpp"

namespace hf_test {

/// The members are JSON text. The words are [UNK] 0, a 1, b 2, c 3, ab 4, B 5.
struct small_file {
  std::string added = "[]";
  std::string normalizer = "null";
  std::string pre_tokenizer = R"({"type":"Whitespace"})";
  std::string post_processor = "null";
  std::string decoder = "null";
  std::string truncation = "null";
  std::string padding = "null";
  std::string model =
      R"({"type":"WordLevel","vocab":{"[UNK]":0,"a":1,"b":2,"c":3,"ab":4,"B":5},"unk_token":"[UNK]"})";

  [[nodiscard]] std::string text() const {
    return R"({"version":"1.0","truncation":)" + truncation + R"(,"padding":)" + padding +
           R"(,"added_tokens":)" + added + R"(,"normalizer":)" + normalizer +
           R"(,"pre_tokenizer":)" + pre_tokenizer + R"(,"post_processor":)" + post_processor +
           R"(,"decoder":)" + decoder + R"(,"model":)" + model + "}";
  }
  [[nodiscard]] tokenizers::hf::tokenizer load(const tokenizers::hf::additions& on_top = {}) const {
    return tokenizers::hf::tokenizer(text(), on_top);
  }
  /// The message of the failure to load the file; empty if it was loaded.
  [[nodiscard]] std::string refusal(const tokenizers::hf::additions& on_top = {}) const {
    try {
      (void)load(on_top);
      return {};
    } catch (const ifb::failure& e) {
      return e.message();
    }
  }
};

/// An element of "added_tokens". `flags`: the names of the flags that are true.
inline std::string added(std::string_view content, std::string_view flags = "") {
  std::string out = R"({"id":0,"content":")" + std::string(content) + '"';
  for (const std::string_view flag : {"single_word", "lstrip", "rstrip", "normalized", "special"})
    out += ",\"" + std::string(flag) +
           (flags.find(flag) == std::string_view::npos ? "\":false" : "\":true");
  return out + "}";
}

}  // namespace hf_test
