#include "simulator/data_url.hpp"

#include <array>
#include <cstdint>

#include "base/text.hpp"

namespace inferbench::simulator {

namespace {

constexpr std::uint8_t no_digit = 0xFF;

constexpr std::array<std::uint8_t, 256> digits = [] {
  std::array<std::uint8_t, 256> table{};
  table.fill(no_digit);
  std::uint8_t value = 0;
  for (const char c :
       std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"))
    table[static_cast<unsigned char>(c)] = value++;
  return table;
}();

std::uint32_t digit(char c) noexcept { return digits[static_cast<unsigned char>(c)]; }

}  // namespace

std::optional<data_url> split_data_url(std::string_view url, std::string& fault) {
  std::string_view rest = url.substr(std::string_view("data:").size());
  const auto comma = rest.find(',');
  if (comma == std::string_view::npos) {
    fault = "its data: URL has no comma";
    return std::nullopt;
  }
  const std::string_view head = rest.substr(0, comma);
  constexpr std::string_view encoding = ";base64";
  if (!head.ends_with(encoding)) {
    fault = "its data: URL is not in base64";
    return std::nullopt;
  }
  const std::string_view type = head.substr(0, head.size() - encoding.size());
  return data_url{base::trim(type.substr(0, type.find(';'))), rest.substr(comma + 1)};
}

std::optional<std::string> decode_base64(std::string_view text, std::string& fault) {
  if (text.size() % 4 != 0) {
    fault = "its base64 has " + std::to_string(text.size()) +
            " characters, which is not a multiple of 4";
    return std::nullopt;
  }
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=')
    ++padding;
  const std::string_view full = text.substr(0, text.size() - padding);
  std::string out;
  out.resize(full.size() * 3 / 4);
  char* to = out.data();
  std::size_t at = 0;
  // Digits have values up to 63, and no_digit is 255: the union of the values is above 63 if a
  // character is invalid.
  std::uint32_t wrong = 0;
  for (; at + 4 <= full.size() && wrong <= 63; at += 4) {
    const std::uint32_t a = digit(full[at]);
    const std::uint32_t b = digit(full[at + 1]);
    const std::uint32_t c = digit(full[at + 2]);
    const std::uint32_t d = digit(full[at + 3]);
    wrong = a | b | c | d;
    const std::uint32_t bits = a << 18U | b << 12U | c << 6U | d;
    *to++ = static_cast<char>(bits >> 16U);
    *to++ = static_cast<char>(bits >> 8U);
    *to++ = static_cast<char>(bits);
  }
  if (wrong <= 63 && at < full.size()) {
    std::uint32_t bits = 0;
    for (std::size_t i = at; i < full.size(); ++i) {
      wrong |= digit(full[i]);
      bits = bits << 6U | (digit(full[i]) & 63U);
    }
    bits <<= 6U * padding;
    *to++ = static_cast<char>(bits >> 16U);
    if (padding == 1) *to = static_cast<char>(bits >> 8U);
  }
  if (wrong <= 63) return out;
  std::size_t first = 0;
  while (digit(full[first]) != no_digit)
    ++first;
  fault = "its base64 has an invalid character at position " + std::to_string(first + 1);
  return std::nullopt;
}

}  // namespace inferbench::simulator
