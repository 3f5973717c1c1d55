// Unicode's normal forms as the library `tokenizers` computes them: with the characters and
// decompositions of Unicode 9. The time for a text of n bytes is O(n log n) at most.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tokenizers::hf {

enum class normal_form : std::uint8_t { nfc, nfd, nfkc, nfkd };

/// Returns a number of bytes at the beginning of `text`, which must be valid UTF-8, that the form
/// does not change: the normal form of `text` is these bytes and the normal form of the rest. If
/// the number is text.size(), `text` is in the form; a smaller number does not prove that it is
/// not. [any thread]
[[nodiscard]] std::size_t prefix_in_form(normal_form form, std::string_view text);

/// Appends `text`, which must be valid UTF-8, in the normal form. [any thread]
void append_in_form(std::string& to, normal_form form, std::string_view text);

}  // namespace tokenizers::hf
