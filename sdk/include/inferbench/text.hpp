// Strings on both sides of the contract: ifb_str and ifb_bytes as string_view and
// back. Nothing here copies; a view lives as long as what it was made from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <inferbench/abi.h>

namespace ifb {

[[nodiscard]] constexpr std::string_view view(ifb_str text) noexcept {
  return text.size == 0 ? std::string_view{} : std::string_view{text.data, text.size};
}
[[nodiscard]] inline std::string_view view(ifb_bytes bytes) noexcept {
  return bytes.size == 0 ? std::string_view{}
                         : std::string_view{static_cast<const char*>(bytes.data), bytes.size};
}

[[nodiscard]] constexpr ifb_str str(std::string_view text) noexcept {
  return {text.data(), text.size()};
}
[[nodiscard]] constexpr ifb_bytes bytes(std::string_view text) noexcept {
  return {text.data(), text.size()};
}
[[nodiscard]] constexpr ifb_field field(std::string_view name, std::string_view value) noexcept {
  return {str(name), str(value)};
}

/// The longest beginning of `text` of at most `limit` bytes that does not end
/// inside a UTF-8 sequence.
[[nodiscard]] constexpr std::string_view cut_utf8(std::string_view text,
                                                  std::size_t limit) noexcept {
  if (text.size() <= limit) return text;
  std::size_t end = limit;
  // A sequence has at most three continuation bytes; more of them are no UTF-8.
  for (int back = 0; back < 3 && end > 0; ++back) {
    if ((static_cast<unsigned char>(text[end]) & 0xC0U) != 0x80U) break;
    --end;
  }
  if ((static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) end = limit;
  return text.substr(0, end);
}

}  // namespace ifb
