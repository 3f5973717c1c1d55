// Unicode's normal forms, for texts of any length in linear time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tokenizers::hf {

enum class normal_form : std::uint8_t { nfc, nfd, nfkc, nfkd };

/// The number of bytes at the beginning of `text` that are in the form already and stay so,
/// whatever follows. [any] thread.
[[nodiscard]] std::size_t prefix_in_form(normal_form form, std::string_view text);

/// Appends `text`, which is valid UTF-8, in the form. [any] thread.
void append_in_form(std::string& to, normal_form form, std::string_view text);

}  // namespace tokenizers::hf
