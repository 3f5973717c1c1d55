// The member "post_processor", evaluated in advance. Every kind becomes two sequences of texts and
// special tokens: one for a single text, and one for a pair of texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tokenizers/common/node.hpp"

namespace tokenizers::hf {

/// A text of the input, or a list of special tokens.
struct slot {
  enum class holds : std::uint8_t { first, second, special };
  holds what = holds::first;
  std::vector<std::uint32_t> ids;  // the ids, for special tokens
  std::uint32_t type_id = 0;
  bool masked = false;  // counts as special in special_tokens_mask
};
using layout = std::vector<slot>;

/// Immutable: [any thread].
class post_processor {
 public:
  /// Makes a post-processor that adds nothing.
  post_processor();
  /// Throws ifb::failure that names the JSON path.
  explicit post_processor(const node& from);
  /// Puts `first` before and `last` after each text, if they are set. The second text of a pair and
  /// its special tokens have type 1.
  post_processor(std::optional<std::uint32_t> first, std::optional<std::uint32_t> last);

  [[nodiscard]] const layout& single(bool special) const noexcept { return single_[special]; }
  [[nodiscard]] const layout& pair(bool special) const noexcept { return pair_[special]; }
  /// Returns the number of special tokens that a limit on the length reserves.
  [[nodiscard]] std::size_t added(bool pair) const noexcept { return added_[pair]; }

 private:
  layout single_[2];  // index 0: without special tokens; index 1: with special tokens
  layout pair_[2];
  std::size_t added_[2] = {0, 0};
};

}  // namespace tokenizers::hf
