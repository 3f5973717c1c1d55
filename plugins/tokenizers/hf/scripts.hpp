// Scripts as the pre-tokenizer UnicodeScripts distinguishes them.
#pragma once

#include <cstdint>

namespace tokenizers::hf {

/// Only `any` has a name, since scripts are only compared with each other.
enum class script : std::uint8_t {
  any = 0  // goes with its neighbours: the space, and what Unicode 8 had not assigned
};

/// Hiragana, Katakana and U+30FC count as Han. [any] thread.
[[nodiscard]] script script_of(char32_t c) noexcept;

}  // namespace tokenizers::hf
