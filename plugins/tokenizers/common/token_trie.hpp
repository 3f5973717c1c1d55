// A set of words. It finds the longest word at a place in a text.
#pragma once

#include <bitset>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tokenizers {

/// Immutable: [any thread].
class token_trie {
 public:
  struct word {
    std::string content;  // must not be empty
    std::uint32_t value = 0;
    auto operator<=>(const word&) const = default;
  };
  token_trie() = default;
  /// If several words have the same content, the word with the lowest value counts.
  explicit token_trie(std::vector<word> words);

  struct match {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::uint32_t value = 0;
  };
  /// Returns the leftmost match at or after `from`. If several words begin there, the longest word
  /// counts.
  [[nodiscard]] std::optional<match> find(std::string_view text, std::size_t from) const;

 private:
  static constexpr std::uint32_t none = UINT32_MAX;
  struct trie_node {
    std::uint32_t first_child = 0;  // index in nodes_ and labels_
    std::uint32_t children = 0;
    std::uint32_t ends = none;  // index of the word that ends here
    std::uint32_t only = none;  // index of the only word below; its rest is compared as a whole
  };
  [[nodiscard]] std::size_t find_first_byte(std::string_view text, std::size_t from) const;
  [[nodiscard]] std::uint32_t longest_at(std::string_view text) const;

  std::vector<word> words_;
  std::vector<trie_node> nodes_;
  std::vector<char> labels_;
  std::bitset<256> first_bytes_;
};

}  // namespace tokenizers
