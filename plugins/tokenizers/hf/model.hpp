// The model of a tokenizer turns a piece of prepared text into ids. There is one class for each
// "type" in tokenizer.json. All code around the model (tokenizer.hpp) only cuts and joins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "tokenizers/common/node.hpp"

namespace tokenizers::hf {

class byte_vocabulary;

/// The spelling of the pieces that the model receives.
enum class alphabet : std::uint8_t {
  text,  // text in the spelling of the vocabulary
  // Raw bytes. The vocabulary spells them in the byte-level alphabet of GPT-2 ("Ġ" for a space).
  // The model converts its tokens back to bytes once, so that the pieces need not be spelled.
  bytes
};

/// Immutable, except for caches that the model protects itself: [any thread].
class model {
 public:
  virtual ~model() = default;
  model(const model&) = delete;
  model& operator=(const model&) = delete;

  /// Appends the ids of `piece`, which must be valid UTF-8 in alphabet::text. The time is nearly
  /// linear in the length, for any piece. Never fails: text that the vocabulary cannot spell
  /// becomes the unknown token or, like in the reference, is left out.
  virtual void encode(std::string_view piece, std::vector<std::uint32_t>& ids) const = 0;
  /// Like encode(), for several pieces, one after the other. No piece may be empty.
  virtual void encode_all(std::span<const std::string_view> pieces,
                          std::vector<std::uint32_t>& ids) const {
    for (const std::string_view piece : pieces)
      encode(piece, ids);
  }

  /// Returns the id of a token in the vocabulary, in the spelling of the file. Added tokens are not
  /// included.
  [[nodiscard]] virtual std::optional<std::uint32_t> id_of(std::string_view token) const = 0;
  /// The view lives as long as the model.
  [[nodiscard]] virtual std::optional<std::string_view> token_of(std::uint32_t id) const = 0;
  /// Returns the number of entries in the vocabulary.
  [[nodiscard]] virtual std::size_t size() const = 0;

  /// Builds the tables for encoding. Must be called once, before the first encode(). It must be
  /// called after the document of the file was freed, so that the tables can reuse its memory. [one
  /// thread]
  virtual void finish() {}
  /// With alphabet::bytes, after finish(): returns the vocabulary converted to bytes; otherwise
  /// null.
  [[nodiscard]] virtual const byte_vocabulary* bytes() const { return nullptr; }

 protected:
  model() = default;
};

/// `from` is the object "model". In old files the type is missing and follows from the members.
/// Copies all data, so the document may be freed. Throws ifb::failure that names the JSON path.
[[nodiscard]] std::unique_ptr<model> read_model(const node& from, alphabet pieces);

}  // namespace tokenizers::hf
