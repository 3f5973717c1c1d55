// A SentencePiece model, used through its own library. It turns texts into ids of its pieces, and
// back.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sentencepiece {
class SentencePieceProcessor;
}

namespace tokenizers::spm {

/// SentencePiece writes a space as U+2581.
inline constexpr std::string_view space_sign = "\xE2\x96\x81";

/// Immutable: [any thread].
class pieces {
 public:
  /// `model` contains the bytes of a tokenizer.model. If `prefix` is true, a space is put before
  /// every text if the model requests it; otherwise never. `file` is the name in messages. Throws
  /// ifb::failure (IFB_E_CONFIG).
  pieces(std::string model, bool prefix, const std::string& file);
  ~pieces();
  pieces(pieces&&) noexcept;
  pieces& operator=(pieces&&) noexcept;

  /// Appends the ids of `text`.
  void encode(std::string_view text, std::vector<std::uint32_t>& ids) const;
  /// Returns the text of pieces in the model's spelling. A text that is not a piece stays
  /// unchanged.
  [[nodiscard]] std::string decode(const std::vector<std::string>& spelled) const;

  [[nodiscard]] std::uint32_t size() const noexcept { return size_; }
  /// Returns nullopt if the model lacks the piece. (The library itself would return the id of the
  /// unknown piece.)
  [[nodiscard]] std::optional<std::uint32_t> id_of(std::string_view piece) const;
  /// `id` must be less than size(). The result lives as long as this object.
  [[nodiscard]] const std::string& piece(std::uint32_t id) const;

  /// Each function returns the piece that the model has for a role; empty if there is no such
  /// piece.
  [[nodiscard]] std::string unknown() const;
  [[nodiscard]] std::string begin() const;
  [[nodiscard]] std::string end() const;

 private:
  [[nodiscard]] std::string piece_or_empty(int id) const;

  std::unique_ptr<sentencepiece::SentencePieceProcessor> library_;
  std::uint32_t size_ = 0;
};

}  // namespace tokenizers::spm
