// Shared by the pre-tokenizer and the decoder Metaspace.
#pragma once

#include <cstdint>
#include <string>

#include "tokenizers/common/node.hpp"

namespace tokenizers::hf {

/// A visible character instead of a space, and one before the text.
struct metaspace {
  enum class prepend : std::uint8_t { never, first, always };

  std::string replacement;  // one character
  prepend scheme = prepend::always;
  bool split = true;
};

/// Old files have add_prefix_space instead of prepend_scheme. Throws ifb::failure.
[[nodiscard]] metaspace read_metaspace_settings(const node& from);

}  // namespace tokenizers::hf
