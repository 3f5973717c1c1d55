// The search for bytes that are not UTF-8, in the texts of plugins and in the answers for them.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include <inferbench/text.hpp>

namespace inferbench::check {

/// The position of the first byte that is not part of valid UTF-8, counted from 0; nullopt if the
/// whole text is UTF-8.
[[nodiscard]] inline std::optional<std::size_t> first_bad_byte(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto [length, good] = ifb::utf8_sequence(text.substr(at));
    if (!good) return at;
    at += length;
  }
  return std::nullopt;
}

/// Whether the whole text is UTF-8.
[[nodiscard]] inline bool is_utf8(std::string_view text) { return !first_bad_byte(text); }

}  // namespace inferbench::check
