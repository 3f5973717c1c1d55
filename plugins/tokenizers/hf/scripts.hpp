// The scripts that the pre-tokenizer UnicodeScripts distinguishes.
#pragma once

#include <cstdint>

namespace tokenizers::hf {

/// Only `any` has a name, because scripts are only compared with each other.
enum class script : std::uint8_t {
  any = 0  // belongs to its neighbours: the space, and characters that are unassigned in Unicode 8
};

/// Hiragana, Katakana and U+30FC count as Han. [any thread]
[[nodiscard]] script script_of(char32_t c) noexcept;

}  // namespace tokenizers::hf
