// The settings that the pre-tokenizer Metaspace and the decoder Metaspace share.
#pragma once

#include <cstdint>
#include <string>

#include "tokenizers/common/node.hpp"

namespace tokenizers::hf {

/// Replaces each space by a visible character, and may put this character before the text.
struct metaspace {
  enum class prepend : std::uint8_t { never, first, always };

  std::string replacement;  // exactly one character
  prepend scheme = prepend::always;
  bool split = true;
};

/// Old files contain add_prefix_space instead of prepend_scheme. Throws ifb::failure.
[[nodiscard]] metaspace read_metaspace_settings(const node& from);

}  // namespace tokenizers::hf
