// The member "pre_tokenizer": cuts a normalized text into the pieces that the model gets.
#pragma once

#include <memory>

#include "model.hpp"
#include "piece.hpp"
#include "tokenizers/common/node.hpp"

namespace tokenizers::hf {

/// Immutable: [any] thread.
class pre_tokenizer {
 public:
  virtual ~pre_tokenizer() = default;
  pre_tokenizer(const pre_tokenizer&) = delete;
  pre_tokenizer& operator=(const pre_tokenizer&) = delete;

  /// Hands the pieces of `whole` to `to`, in order. None is empty.
  virtual void cut(const piece& whole, piece_sink& to) const = 0;
  /// Whether the pieces are parts of `whole` and live as long as its text.
  [[nodiscard]] virtual bool only_cuts() const { return false; }
  /// Whether it hands its input on unchanged.
  [[nodiscard]] virtual bool does_nothing() const { return false; }

 protected:
  pre_tokenizer() = default;
};

/// Whether its last step, and no other, is ByteLevel: then a model may take raw bytes.
[[nodiscard]] bool ends_in_bytes(const node& from);

/// Throws ifb::failure naming the JSON path. `pieces`: alphabet::bytes, allowed only if
/// ends_in_bytes(), leaves out the spelling of ByteLevel.
[[nodiscard]] std::unique_ptr<pre_tokenizer> read_pre_tokenizer(const node& from, alphabet pieces);

}  // namespace tokenizers::hf
