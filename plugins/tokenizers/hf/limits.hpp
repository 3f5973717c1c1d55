// The members "truncation" and "padding" of tokenizer.json.
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

  /// Cuts a text early, in the same way as Hugging Face's library `tokenizers`. The library stops
  /// reading a text, at the end of a piece, when it has at least max_length ids. If both texts of a
  /// pair are long, it therefore cannot compare their full lengths. The early cut is made even if
  /// more special tokens than max_length are added; in this case it is the only cut. `ends`
  /// contains the number of ids after each piece.
  void cut_early(std::vector<std::uint32_t>& ids, const std::vector<std::size_t>& ends) const;

  /// Cuts the texts of one input so that together they have at most `at_most` ids. `second` is null
  /// if the input is one text. Throws ifb::failure (IFB_E_CONFIG) if the strategy does not allow
  /// the cut.
  void apply(std::vector<std::uint32_t>& first, std::vector<std::uint32_t>* second,
             std::size_t at_most) const;
};

struct padding {
  std::optional<std::size_t> fixed;  // nullopt: as long as the input
  std::size_t multiple_of = 0;       // 0: the length need not be a multiple
  bool on_left = false;
  std::uint32_t id = 0;
  std::uint32_t type_id = 0;

  /// Returns the length to which an input of `ids` ids is padded.
  [[nodiscard]] std::size_t length_for(std::size_t ids) const noexcept;
};

// Both functions throw ifb::failure that names the JSON path.
[[nodiscard]] truncation read_truncation(const node& from);
[[nodiscard]] padding read_padding(const node& from);

}  // namespace tokenizers::hf
