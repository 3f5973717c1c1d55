// A .tiktoken file: a token in base64, a space and its rank on each line. The rank is the id;
// of a lower rank, the two halves merge earlier.
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

/// Immutable, except for a cache that it guards itself: [any] thread.
class ranks {
 public:
  /// `file` names the text in messages. Throws ifb::failure (IFB_E_CONFIG) that names file and
  /// line, also if a byte has no token.
  ranks(std::string_view text, std::string_view file);

  /// Appends the ids of a piece, which may be any bytes. Near-linear.
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
  void find_merges();

  vocabulary tokens_;
  std::array<std::uint32_t, 256> bytes_{};
  merge_table merges_;
  std::uint32_t highest_ = 0;
  std::unique_ptr<word_cache> cache_;
};

}  // namespace tokenizers::tiktoken
