// The member "normalizer": rewrites a text before the text is cut.
#pragma once

#include <memory>

#include "draft.hpp"
#include "tokenizers/common/node.hpp"

namespace tokenizers::hf {

/// Immutable: [any thread].
class normalizer {
 public:
  virtual ~normalizer() = default;
  normalizer(const normalizer&) = delete;
  normalizer& operator=(const normalizer&) = delete;

  /// The text must be valid UTF-8, and is valid UTF-8 afterwards.
  virtual void apply(draft& text) const = 0;

 protected:
  normalizer() = default;
};

/// Throws ifb::failure that names the JSON path.
[[nodiscard]] std::unique_ptr<normalizer> read_normalizer(const node& from);

}  // namespace tokenizers::hf
