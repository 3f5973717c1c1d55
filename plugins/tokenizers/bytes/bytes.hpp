// Tokenizer "bytes": one token a byte. Needs no file and no server; for trying
// things out, and for lengths that are exact by construction.
//
//   encode   the bytes of the text, one id (0..255) each, always.
//   decode   one byte an id, always: a byte that is not part of well-formed UTF-8,
//            and an id above 255, reads as '?'. So the text is valid UTF-8 and has
//            as many bytes as there were ids. U+FFFD would take three bytes, and a
//            prompt that is decoded and encoded until its length fits would grow
//            at every attempt.
//   vocabulary   128 base ids, those that are text on their own, and 256 with the
//            rest, which occur in pairs and more. Datasets draw from the base
//            vocabulary: their random prompts are then ASCII, decode to what was
//            drawn, and have the wanted length at once. No special tokens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <inferbench/abi.h>
#include <inferbench/host.hpp>

namespace bytes {

/// Without state: any thread.
class tokenizer {
 public:
  static constexpr const char* id = "bytes";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary = "One token a byte.";
  static constexpr const char* license = "Apache-2.0";

  explicit tokenizer(ifb::host) {}

  [[nodiscard]] ifb_vocabulary vocabulary() const noexcept;
  /// Both write as far as `out` reaches and return the whole length.
  [[nodiscard]] std::size_t encode(std::string_view text, std::uint32_t flags,
                                   std::span<std::uint32_t> out) const noexcept;
  [[nodiscard]] std::size_t decode(std::span<const std::uint32_t> ids, std::uint32_t flags,
                                   std::span<char> out) const noexcept;
  [[nodiscard]] std::uint64_t count(std::string_view text, std::uint32_t flags) const noexcept;
};

}  // namespace bytes
