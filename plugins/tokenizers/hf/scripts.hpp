// Scripts as the pre-tokenizer UnicodeScripts tells them apart.
#pragma once

#include <cstdint>

namespace tokenizers::hf {

/// All but `any` have no names: nobody asks for one by name, only whether two are the same.
enum class script : std::uint8_t {
  any = 0  // goes with its neighbours: the space, and what Unicode 8 had not assigned
};

/// Hiragana, Katakana and U+30FC count as Han. [any] thread.
[[nodiscard]] script script_of(char32_t c) noexcept;

}  // namespace tokenizers::hf
