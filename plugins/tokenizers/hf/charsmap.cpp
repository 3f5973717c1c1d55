#include "charsmap.hpp"

#include <algorithm>

#include "tokenizers/common/utf8.hpp"

namespace tokenizers::hf {

namespace {

std::uint32_t little_endian(std::string_view four) {
  std::uint32_t out = 0;
  for (std::size_t i = 4; i-- > 0;)
    out = out << 8U | static_cast<unsigned char>(four[i]);
  return out;
}

int base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

// Decode a unit of the trie, in the format of the library Darts.
bool has_leaf(std::uint32_t unit) { return (unit >> 8U & 1U) != 0; }
std::uint32_t label(std::uint32_t unit) { return unit & (0x80000000U | 0xFFU); }
std::uint32_t value(std::uint32_t unit) { return unit & 0x7FFFFFFFU; }
std::uint32_t offset(std::uint32_t unit) { return (unit >> 10U) << ((unit & 0x200U) >> 6U); }

}  // namespace

bool append_base64(std::string& to, std::string_view text) {
  if (text.size() % 4 != 0) return false;
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=')
    ++padding;
  to.reserve(to.size() + text.size() / 4 * 3);
  for (std::size_t i = 0; i < text.size(); i += 4) {
    const bool last = i + 4 == text.size();
    const std::size_t digits = last ? 4 - padding : 4;
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const int digit = k < digits ? base64_digit(text[i + k]) : 0;
      if (digit < 0) return false;
      bits = bits << 6U | static_cast<std::uint32_t>(digit);
    }
    for (std::size_t k = 0; k + 1 < digits; ++k)
      to.push_back(static_cast<char>(bits >> (16U - 8U * k) & 0xFFU));
  }
  return true;
}

charsmap::charsmap(const node& from) {
  std::string blob;
  if (!append_base64(blob, from.text())) from.fail("not base64");
  const std::string_view bytes = blob;
  if (bytes.size() < 4) from.fail("too short for a table of rules");
  const std::size_t size = little_endian(bytes.substr(0, 4));
  if (size == 0 || size % 4 != 0 || size > bytes.size() - 4)
    from.fail("its table of rules is said to have " + std::to_string(size) + " bytes of " +
              std::to_string(bytes.size() - 4));
  units_.resize(size / 4);
  for (std::size_t i = 0; i < units_.size(); ++i)
    units_[i] = little_endian(bytes.substr(4 + 4 * i, 4));
  replacements_ = bytes.substr(4 + size);
  if (valid_prefix(replacements_) != replacements_.size())
    from.fail("its replacements are not valid UTF-8");
  for (std::size_t c = 0; c < ascii_.size(); ++c) {
    const char text = static_cast<char>(c);
    ascii_[c] = find({&text, 1});
  }
}

std::optional<std::string_view> charsmap::find(std::string_view text) const {
  std::size_t at = offset(units_.front());
  for (const char byte : text) {
    const auto c = static_cast<unsigned char>(byte);
    if (c == 0) return std::nullopt;
    at ^= c;
    if (at >= units_.size() || label(units_[at]) != c) return std::nullopt;
    const std::uint32_t unit = units_[at];
    at ^= offset(unit);
    if (!has_leaf(unit)) continue;
    if (at >= units_.size()) return std::nullopt;
    const std::size_t begin = value(units_[at]);
    if (begin >= replacements_.size() ||
        (static_cast<unsigned char>(replacements_[begin]) & 0xC0U) == 0x80U)
      return std::nullopt;
    const std::size_t end = std::min(replacements_.find('\0', begin), replacements_.size());
    return std::string_view(replacements_).substr(begin, end - begin);
  }
  return std::nullopt;
}

}  // namespace tokenizers::hf
