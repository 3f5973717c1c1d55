// The member "post_processor", worked out beforehand: for one text and for a pair it is a row of
// texts and special tokens, whatever its kind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tokenizers/common/node.hpp"

namespace tokenizers::hf {

/// A text of the input, or special tokens.
struct slot {
  enum class holds : std::uint8_t { first, second, special };
  holds what = holds::first;
  std::vector<std::uint32_t> ids;  // of special tokens
  std::uint32_t type_id = 0;
  bool masked = false;  // counts as special in the mask
};
using layout = std::vector<slot>;

/// Immutable: [any] thread.
class post_processor {
 public:
  /// A post-processor that adds nothing.
  post_processor();
  /// Throws ifb::failure naming the JSON path.
  explicit post_processor(const node& from);
  /// Puts `first` before and `last` after each text, if they are set. The second text of a pair and
  /// its tokens have type 1.
  post_processor(std::optional<std::uint32_t> first, std::optional<std::uint32_t> last);

  [[nodiscard]] const layout& single(bool special) const noexcept { return single_[special]; }
  [[nodiscard]] const layout& pair(bool special) const noexcept { return pair_[special]; }
  /// The number of special tokens for which a limit on the length leaves room.
  [[nodiscard]] std::size_t added(bool pair) const noexcept { return added_[pair]; }

 private:
  layout single_[2];  // without, with special tokens
  layout pair_[2];
  std::size_t added_[2] = {0, 0};
};

}  // namespace tokenizers::hf
