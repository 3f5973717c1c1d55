// Unicode's normal forms, for texts of any length in linear time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tokenizers::hf {

enum class normal_form : std::uint8_t { nfc, nfd, nfkc, nfkd };

/// Returns how many bytes at the beginning of `text` are already in the form, and stay in it
/// whatever text follows. [any thread]
[[nodiscard]] std::size_t prefix_in_form(normal_form form, std::string_view text);

/// Appends `text`, which must be valid UTF-8, in the normal form. [any thread]
void append_in_form(std::string& to, normal_form form, std::string_view text);

}  // namespace tokenizers::hf
