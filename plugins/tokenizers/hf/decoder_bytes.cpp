#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "byte_alphabet.hpp"
#include "decoder_steps.hpp"
#include "tokenizers/common/utf8.hpp"

namespace tokenizers::hf {

namespace {

class byte_level_decoder final : public decoder {
 public:
  [[nodiscard]] bool is_byte_level() const override { return true; }
  void decode(const token_list& from, token_list& to) const override {
    std::string bytes;
    bytes.reserve(from.text().size());
    for (std::size_t i = 0; i < from.size(); ++i) {
      // A token with a character that is not in the alphabet is used as it is.
      if (!append_bytes(bytes, from[i])) bytes += from[i];
    }
    append_valid(to.open(), bytes);
    to.close();
  }
};

/// Returns the byte of "<0xE2>". Two digits, or a plus and one digit: the reference parses them as
/// a number.
std::optional<char> byte_of(std::string_view token) {
  const auto digit = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
  };
  if (token.size() != 6 || !token.starts_with("<0x") || token.back() != '>') return std::nullopt;
  const int high = token[3] == '+' ? 0 : digit(token[3]);
  const int low = digit(token[4]);
  if (high < 0 || low < 0) return std::nullopt;
  return static_cast<char>(high << 4 | low);
}

class byte_fallback final : public decoder {
 public:
  void decode(const token_list& from, token_list& to) const override {
    std::string bytes;
    const auto flush = [&] {
      if (bytes.empty()) return;
      if (valid_prefix(bytes) == bytes.size()) {
        to.add(bytes);
      } else {
        for (std::size_t i = 0; i < bytes.size(); ++i)
          to.add("\xEF\xBF\xBD");
      }
      bytes.clear();
    };
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (const auto byte = byte_of(from[i])) {
        bytes += *byte;
      } else {
        flush();
        to.add(from[i]);
      }
    }
    flush();
  }
};

}  // namespace

decoder_ptr make_byte_level_decoder() { return std::make_unique<byte_level_decoder>(); }
decoder_ptr make_byte_fallback_decoder() { return std::make_unique<byte_fallback>(); }

}  // namespace tokenizers::hf
