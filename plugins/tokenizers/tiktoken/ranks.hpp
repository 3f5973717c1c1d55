// A .tiktoken file: each line contains a token in base64, a space and its rank. The rank is the
// token's id. The halves of a token with a lower rank are merged earlier.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "tokenizers/common/merges.hpp"
#include "tokenizers/common/vocabulary.hpp"
#include "tokenizers/common/word_cache.hpp"

namespace tokenizers::tiktoken {

/// Immutable, except for a cache that the object protects itself: [any thread].
class ranks {
 public:
  /// `file` is the name in messages. Throws ifb::failure (IFB_E_CONFIG) that names the file, and
  /// the line if a line is wrong. A byte without a token and two tokens with one rank are errors,
  /// too.
  ranks(std::string_view text, std::string_view file);

  /// Appends the ids of a piece, which may contain any bytes. The time is nearly linear in its
  /// length.
  void encode(std::string_view piece, std::vector<std::uint32_t>& ids) const;
  [[nodiscard]] std::optional<std::string_view> bytes_of(std::uint32_t id) const noexcept {
    return tokens_.token_of(id);
  }
  [[nodiscard]] std::optional<std::uint32_t> id_of(std::string_view bytes) const noexcept {
    return tokens_.id_of(bytes);
  }
  [[nodiscard]] std::size_t size() const noexcept { return tokens_.size(); }
  [[nodiscard]] std::uint32_t highest() const noexcept { return highest_; }

 private:
  void require_different_ranks(std::string_view file) const;
  void find_merges();

  vocabulary tokens_;
  std::array<std::uint32_t, 256> bytes_{};
  merge_table merges_;
  std::uint32_t highest_ = 0;
  std::unique_ptr<word_cache> cache_;
};

}  // namespace tokenizers::tiktoken
