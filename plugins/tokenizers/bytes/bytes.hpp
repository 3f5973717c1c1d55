// Tokenizer "bytes": one token per byte. It needs neither files nor a server. It is for trying
// things out, and for lengths that are exact by construction.
//
//   encode   one id (0..255) for each byte of the text, in all cases.
//   decode   one byte for each id, in all cases: a byte that is not part of valid UTF-8, and an
//            id above 255, become '?'. So the text is valid UTF-8 and has as many bytes as there
//            were ids. U+FFFD would take three bytes, and a prompt that is decoded and encoded
//            until its length fits would grow at every attempt.
//   vocabulary   the 128 base ids are a valid text on their own. All 256 ids include the bytes
//            of longer UTF-8 sequences. Datasets draw from the base vocabulary: their random
//            prompts are ASCII, decode to the drawn ids, and have the wanted length at the first
//            attempt. There are no special tokens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <inferbench/abi.h>
#include <inferbench/host.hpp>

namespace bytes {

/// Has no state: any thread.
class tokenizer {
 public:
  static constexpr const char* id = "bytes";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary = "One token a byte.";
  static constexpr const char* license = "Apache-2.0";

  explicit tokenizer(ifb::host) {}

  [[nodiscard]] ifb_vocabulary vocabulary() const noexcept;
  /// Both functions write until `out` is full, and return the length of the whole result.
  [[nodiscard]] std::size_t encode(std::string_view text, std::uint32_t flags,
                                   std::span<std::uint32_t> out) const noexcept;
  [[nodiscard]] std::size_t decode(std::span<const std::uint32_t> ids, std::uint32_t flags,
                                   std::span<char> out) const noexcept;
  [[nodiscard]] std::uint64_t count(std::string_view text, std::uint32_t flags) const noexcept;
};

}  // namespace bytes
