// The member "pre_tokenizer": cuts a normalized text into the pieces that the model receives.
#pragma once

#include <memory>

#include "model.hpp"
#include "piece.hpp"
#include "tokenizers/common/node.hpp"

namespace tokenizers::hf {

/// Immutable: [any thread].
class pre_tokenizer {
 public:
  virtual ~pre_tokenizer() = default;
  pre_tokenizer(const pre_tokenizer&) = delete;
  pre_tokenizer& operator=(const pre_tokenizer&) = delete;

  /// Passes the pieces of `whole` to `to`, in order. No piece is empty.
  virtual void cut(const piece& whole, piece_sink& to) const = 0;
  /// Returns whether the pieces are parts of `whole` and live as long as its text.
  [[nodiscard]] virtual bool only_cuts() const { return false; }
  /// Returns whether the input is passed on unchanged.
  [[nodiscard]] virtual bool does_nothing() const { return false; }

 protected:
  pre_tokenizer() = default;
};

/// Returns whether exactly one step is ByteLevel, and this step is the last. If so, a model may
/// receive raw bytes.
[[nodiscard]] bool ends_in_bytes(const node& from);

/// Throws ifb::failure that names the JSON path. If `pieces` is alphabet::bytes, ByteLevel does not
/// spell the bytes; this is allowed only if ends_in_bytes() returns true.
[[nodiscard]] std::unique_ptr<pre_tokenizer> read_pre_tokenizer(const node& from, alphabet pieces);

}  // namespace tokenizers::hf
