// Finds the tokens with which a text begins. It is a double array with one memory access per byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tokenizers {

/// Immutable: [any thread].
class trie {
 public:
  struct entry {
    std::string_view key;  // need not outlive the constructor
    std::uint32_t value = 0;
  };
  struct match {
    std::size_t size = 0;  // size in bytes; 0: no match
    std::uint32_t value = 0;
  };

  trie() : trie(std::vector<entry>{}) {}
  /// If keys are equal, the last entry counts. Entries with an empty key are left out.
  explicit trie(std::vector<entry> entries);

  /// Calls `found(match)` for each key with which `text` begins, the shortest first.
  template <typename taker>
  void for_each_prefix(std::string_view text, taker&& found) const {
    std::uint32_t at = root;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const std::uint32_t next = cells_[at].base ^ static_cast<unsigned char>(text[i]);
      if (cells_[next].parent != at) return;
      at = next;
      if (cells_[at].value != no_value) found(match{i + 1, cells_[at].value - 1});
    }
  }
  [[nodiscard]] match longest(std::string_view text) const {
    match out;
    for_each_prefix(text, [&](const match& found) { out = found; });
    return out;
  }

 private:
  class builder;
  static constexpr std::uint32_t root = 0;
  static constexpr std::uint32_t nowhere = 0xFFFFFFFF;
  static constexpr std::uint32_t no_value = 0;

  struct cell {
    std::uint32_t base = 0;  // the child for a byte is at base ^ byte
    std::uint32_t parent = nowhere;
    std::uint32_t value = no_value;  // no_value, or the value plus one
  };
  std::vector<cell> cells_;  // whole blocks of 256, so that every child is inside
};

}  // namespace tokenizers
