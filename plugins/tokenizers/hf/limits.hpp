// The members "truncation" and "padding".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tokenizers/common/node.hpp"

namespace tokenizers::hf {

struct truncation {
  enum class strategy : std::uint8_t { longest_first, only_first, only_second };
  std::size_t max_length = 0;
  strategy how = strategy::longest_first;
  bool from_left = false;

  /// The reference stops reading a text once it has as many ids as may be left, at the end of a
  /// piece; of two long texts it then no longer knows which was the longer one. It does so even
  /// where the special tokens leave no room, and then goes no further. `ends`: the number of ids
  /// after each piece.
  void cut_early(std::vector<std::uint32_t>& ids, const std::vector<std::size_t>& ends) const;

  /// Cuts the texts of one input, `second` null where there is one text, so that together they
  /// have at most `at_most` ids. Throws ifb::failure (IFB_E_CONFIG) where the strategy does
  /// not allow it.
  void apply(std::vector<std::uint32_t>& first, std::vector<std::uint32_t>* second,
             std::size_t at_most) const;
};

struct padding {
  std::optional<std::size_t> fixed;  // else as long as the input is
  std::size_t multiple_of = 0;       // 0: of anything
  bool on_left = false;
  std::uint32_t id = 0;
  std::uint32_t type_id = 0;

  /// What an input of so many ids is filled up to.
  [[nodiscard]] std::size_t length_for(std::size_t ids) const noexcept;
};

// Throw ifb::failure naming the JSON path.
[[nodiscard]] truncation read_truncation(const node& from);
[[nodiscard]] padding read_padding(const node& from);

}  // namespace tokenizers::hf
