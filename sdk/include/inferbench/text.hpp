// Conversions between string_view and ifb_str or ifb_bytes, and text functions that host and
// plugins share. A view is valid as long as the text that it was made from. Pure functions; any
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

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

/// Returns the longest prefix of `text` that has at most `limit` bytes and does not end inside a
/// UTF-8 sequence.
[[nodiscard]] constexpr std::string_view cut_utf8(std::string_view text,
                                                  std::size_t limit) noexcept {
  if (text.size() <= limit) return text;
  std::size_t end = limit;
  // A valid sequence has at most three continuation bytes.
  for (int back = 0; back < 3 && end > 0; ++back) {
    if ((static_cast<unsigned char>(text[end]) & 0xC0U) != 0x80U) break;
    --end;
  }
  if ((static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) end = limit;
  return text.substr(0, end);
}

/// Returns the length of the UTF-8 sequence at the start of `text`, and whether it is well-formed:
/// no overlong form, no surrogate, at most U+10FFFF. `text` must not be empty. The length of a
/// malformed sequence is the length of its longest valid prefix, at least 1.
[[nodiscard]] inline std::pair<std::size_t, bool> utf8_sequence(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {1, true};
  std::size_t length = 0;
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
  } else {
    return {1, false};
  }
  for (std::size_t i = 1; i < length; ++i) {
    if (i >= text.size() || byte(i) < low || byte(i) > high) return {i, false};
    low = 0x80;
    high = 0xBF;
  }
  return {length, true};
}

/// Strips ASCII white space from both ends (space, tab, line feed, vertical tab, form feed and
/// carriage return), like Python's bytes.strip().
[[nodiscard]] constexpr std::string_view trim(std::string_view text) noexcept {
  const auto blank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  while (!text.empty() && blank(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && blank(text.back()))
    text.remove_suffix(1);
  return text;
}

/// Returns whether two ASCII texts are equal apart from case, as the names of HTTP headers are.
[[nodiscard]] constexpr bool same_without_case(std::string_view a, std::string_view b) noexcept {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (lower(a[i]) != lower(b[i])) return false;
  }
  return true;
}

/// Returns the number of characters of the base64 text for `bytes` bytes.
[[nodiscard]] constexpr std::size_t base64_size(std::size_t bytes) noexcept {
  return (bytes + 2) / 3 * 4;
}

/// Writes `bytes` in base64 (RFC 4648, standard alphabet, padded): base64_size() characters without
/// a terminating zero. Returns the end of the characters.
inline char* write_base64(char* out, std::string_view bytes) noexcept {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto group = [&](std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    unsigned bits = static_cast<unsigned>(byte(at)) << 16U;
    if (at + 1 < bytes.size()) bits |= static_cast<unsigned>(byte(at + 1)) << 8U;
    if (at + 2 < bytes.size()) bits |= byte(at + 2);
    return bits;
  };
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const unsigned bits = group(at);
    *out++ = digits[bits >> 18U];
    *out++ = digits[bits >> 12U & 63U];
    *out++ = at + 1 < bytes.size() ? digits[bits >> 6U & 63U] : '=';
    *out++ = at + 2 < bytes.size() ? digits[bits & 63U] : '=';
  }
  return out;
}

/// Returns the base64 text of `bytes`.
[[nodiscard]] inline std::string base64(std::string_view bytes) {
  std::string out(base64_size(bytes.size()), '\0');
  write_base64(out.data(), bytes);
  return out;
}

/// Percent-encodes every byte of `text` except for the unreserved characters of URLs (RFC 3986):
/// ASCII letters, digits and "-._~". The characters in `kept` also stay as they are: "/" for a
/// path.
[[nodiscard]] inline std::string percent_encoded(std::string_view text,
                                                 std::string_view kept = {}) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const bool unreserved = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                            (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_' || c == '~';
    if (unreserved || kept.find(c) != std::string_view::npos) {
      out += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += '%';
      out += digits[byte >> 4U];
      out += digits[byte & 15U];
    }
  }
  return out;
}

/// Replaces the user name and password before the "@" of a URL: "http://(cut)@host/". A text
/// without "://" is returned unchanged.
[[nodiscard]] inline std::string without_password(std::string_view address) {
  std::string out(address);
  const auto scheme = address.find("://");
  if (scheme == std::string_view::npos) return out;
  const auto begin = scheme + 3;
  const auto end = address.find_first_of("/?#", begin);
  const auto at = address.substr(0, end).rfind('@');
  if (at != std::string_view::npos && at >= begin) out.replace(begin, at - begin, "(cut)");
  return out;
}

/// Like without_password(), for the address of a proxy, which may have no scheme:
/// "(cut)@proxy:3128". A proxy address without a scheme has no path, so everything before its last
/// "@" is replaced.
[[nodiscard]] inline std::string without_proxy_password(std::string_view address) {
  std::string out(address);
  const auto scheme = address.find("://");
  const auto at = address.rfind('@');
  if (at == std::string_view::npos) return out;
  const bool named = scheme != std::string_view::npos && address.find_first_of(":/@") == scheme;
  const std::size_t begin = named ? scheme + 3 : 0;
  out.replace(begin, at - begin, "(cut)");
  return out;
}

}  // namespace ifb
