// A tokenizer whose tokens depend on the neighbouring text, as in real tokenizers: a token
// is up to three letters in a row, or one other byte. The model adds "<s>" in front.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/services/fake_tokenizer.hpp"

namespace fake {

class pieces : public described {
 public:
  static constexpr std::uint32_t bos = 7;

  explicit pieces(ifb::host) {}
  [[nodiscard]] ifb_vocabulary vocabulary() const {
    ifb_vocabulary out{};
    out.struct_size = sizeof out;
    out.added = 1;
    out.size = 1U << 26U;
    return out;
  }
  // An id encodes the bytes and their number.
  [[nodiscard]] std::vector<std::uint32_t> encode(std::string_view text,
                                                  std::uint32_t flags) const {
    std::vector<std::uint32_t> out;
    if ((flags & IFB_ENCODE_SPECIAL) != 0) out.push_back(bos);
    for (std::size_t at = 0; at < text.size();) {
      std::uint32_t piece = 0;
      std::uint32_t size = 0;
      do
        piece |= static_cast<std::uint32_t>(static_cast<unsigned char>(text[at + size]))
                 << 8U * size;
      while (++size < 3 && at + size < text.size() && letter(text[at]) && letter(text[at + size]));
      out.push_back(piece | size << 24U);
      at += size;
    }
    return out;
  }
  [[nodiscard]] std::string decode(std::span<const std::uint32_t> ids, std::uint32_t) const {
    std::string out;
    for (const std::uint32_t piece : ids) {
      if (piece == bos) out += "<s>";
      for (std::uint32_t i = 0; i < piece >> 24U; ++i)
        out += static_cast<char>(piece >> 8U * i & 0xFFU);
    }
    return out;
  }

 private:
  static bool letter(char c) { return c >= 'a' && c <= 'z'; }
};

}  // namespace fake
