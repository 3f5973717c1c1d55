// The ids of tokens that consist of one character.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokenizers/common/vocabulary.hpp"

namespace tokenizers::hf {

/// Immutable: [any thread].
class character_ids {
 public:
  static constexpr std::uint32_t none = 0xFFFFFFFF;

  character_ids() = default;
  explicit character_ids(const vocabulary& from);

  [[nodiscard]] std::uint32_t of(char32_t c) const noexcept {
    const std::size_t page = c >> 8U;
    return page < pages_.size() ? ids_[pages_[page] + (c & 0xFFU)] : none;
  }

 private:
  // where each page begins in ids_; the first 256 ids are `none`
  std::vector<std::uint32_t> pages_;
  std::vector<std::uint32_t> ids_;
};

}  // namespace tokenizers::hf
