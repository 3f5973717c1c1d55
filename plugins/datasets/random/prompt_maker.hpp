// Texts of a wanted number of tokens: runs of neighbouring ids, decoded, encoded
// again and adjusted until the count fits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <inferbench/host.hpp>
#include <inferbench/random.hpp>

/// A text and what it encodes to.
struct fitted {
  std::string text;
  std::vector<std::uint32_t> ids;
  std::int64_t mismatch = 0;  // tokens more (or, negative, fewer) than asked for
};

/// One thread.
class prompt_maker {
 public:
  /// Throws ifb::failure when the tokenizer has no vocabulary to draw from.
  explicit prompt_maker(ifb::service::tokenizer tokenizer);

  /// Ids below this; the base vocabulary.
  [[nodiscard]] std::int64_t vocabulary() const noexcept { return vocabulary_; }
  /// Tokens that the model adds to a text by itself.
  [[nodiscard]] std::int64_t special() const noexcept { return special_; }
  /// The vocabulary without the special tokens that the configuration names.
  [[nodiscard]] std::span<const std::uint32_t> allowed() const noexcept { return allowed_; }

  /// Decodes and encodes `ids` until `target` come out, at most eleven times: too
  /// few are padded with ids drawn from the whole vocabulary, too many are cut off.
  /// `random` is touched by padding only.
  [[nodiscard]] fitted fit(std::vector<std::uint32_t> ids, std::size_t target,
                           ifb::numpy_pcg64& random) const;

  /// `prefix`, then `count` allowed ids from place `start` on, around the end.
  [[nodiscard]] std::vector<std::uint32_t> run(std::span<const std::uint32_t> prefix,
                                               std::uint64_t start, std::size_t count) const;

 private:
  ifb::service::tokenizer tokenizer_;
  std::int64_t vocabulary_ = 0;
  std::int64_t special_ = 0;
  std::vector<std::uint32_t> allowed_;
};
