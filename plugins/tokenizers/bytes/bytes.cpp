#include "bytes.hpp"

#include <algorithm>
#include <array>

#include <inferbench/json_writer.hpp>
#include <inferbench/plugin.hpp>

namespace bytes {

ifb_vocabulary tokenizer::vocabulary() const noexcept {
  ifb_vocabulary out{};
  out.struct_size = sizeof out;
  out.size = 128;
  out.total_size = 256;
  return out;
}

std::size_t tokenizer::encode(std::string_view text, std::uint32_t,
                              std::span<std::uint32_t> out) const noexcept {
  const std::size_t n = std::min(text.size(), out.size());
  for (std::size_t i = 0; i < n; ++i)
    out[i] = static_cast<unsigned char>(text[i]);
  return text.size();
}

std::size_t tokenizer::decode(std::span<const std::uint32_t> ids, std::uint32_t,
                              std::span<char> out) const noexcept {
  constexpr char never_valid = '\xFF';
  std::array<char, 4> window{};  // the size of the longest UTF-8 sequence
  for (std::size_t i = 0; i < ids.size() && i < out.size();) {
    if (ids[i] < 0x80) {
      out[i] = static_cast<char>(ids[i]);
      ++i;
      continue;
    }
    const std::size_t ahead = std::min(ids.size() - i, window.size());
    for (std::size_t k = 0; k < ahead; ++k)
      window[k] = ids[i + k] < 256 ? static_cast<char>(ids[i + k]) : never_valid;
    const auto [length, good] = ifb::utf8_sequence({window.data(), ahead});
    for (std::size_t k = 0; k < length && i + k < out.size(); ++k)
      out[i + k] = good ? window[k] : '?';
    i += length;
  }
  return ids.size();
}

std::uint64_t tokenizer::count(std::string_view text, std::uint32_t) const noexcept {
  return text.size();
}

}  // namespace bytes

INFERBENCH_PLUGINS(ifb::tokenizer<bytes::tokenizer>);
