// The model of a tokenizer turns a piece of prepared text into ids. One class for each "type" of
// tokenizer.json; everything around it (tokenizer.hpp) only cuts and joins.
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
  text,  // as the vocabulary spells its tokens
  // Raw bytes. The vocabulary spells them in the byte-level alphabet of GPT-2 ("Ġ" for a
  // space); the model takes its tokens back to bytes once, so that no piece has to be spelled.
  bytes
};

/// Immutable, except for caches that it guards itself: [any] thread.
class model {
 public:
  virtual ~model() = default;
  model(const model&) = delete;
  model& operator=(const model&) = delete;

  /// Appends the ids of `piece`, which is valid UTF-8 in alphabet::text. Near-linear in the
  /// length for any piece. Never fails: text that the vocabulary cannot spell becomes the unknown
  /// token or, as in the reference, nothing.
  virtual void encode(std::string_view piece, std::vector<std::uint32_t>& ids) const = 0;
  /// The same for several pieces, one after the other; none is empty.
  virtual void encode_all(std::span<const std::string_view> pieces,
                          std::vector<std::uint32_t>& ids) const {
    for (const std::string_view piece : pieces)
      encode(piece, ids);
  }

  /// The id of a token of the vocabulary, in the file's spelling; without added tokens.
  [[nodiscard]] virtual std::optional<std::uint32_t> id_of(std::string_view token) const = 0;
  /// Lives as long as the model.
  [[nodiscard]] virtual std::optional<std::string_view> token_of(std::uint32_t id) const = 0;
  /// Entries of the vocabulary.
  [[nodiscard]] virtual std::size_t size() const = 0;

  /// Builds the tables for encoding. Call this once, before any encode() and after the file's
  /// document is freed, whose memory they reuse. [one thread]
  virtual void finish() {}
  /// In alphabet::bytes, after finish(): the vocabulary taken back to bytes. Null: there is none.
  [[nodiscard]] virtual const byte_vocabulary* bytes() const { return nullptr; }

 protected:
  model() = default;
};

/// `from`: the object "model". In old files the type is missing and follows from the members.
/// Copies everything, so the document may be freed. Throws ifb::failure naming the JSON path.
[[nodiscard]] std::unique_ptr<model> read_model(const node& from, alphabet pieces);

}  // namespace tokenizers::hf
