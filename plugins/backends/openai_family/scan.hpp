// Finds the end of a part of a JSON string that has no escape. Nearly all bytes of an event lie in
// strings, so this loop dominates the cost of reading an event.
#pragma once

#include <bit>
#include <cstddef>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace openai::reading {

/// The number of bytes that one step examines. plain_end() cannot read a shorter text.
inline constexpr std::size_t window = 16;

/// Returns the first quote, backslash or control character in [at, end), or `end`. Examines single
/// bytes, for processors without SSE2.
inline const char* plain_end_by_bytes(const char* at, const char* end) noexcept {
  for (; at != end; ++at) {
    const auto c = static_cast<unsigned char>(*at);
    if (c == '"' || c == '\\' || c < 0x20) break;
  }
  return at;
}

/// Returns the same position as plain_end_by_bytes(). The `window` bytes before `end` must belong
/// to the text: its last bytes are examined together with some bytes before them, so that no byte
/// past the text is read.
inline const char* plain_end(const char* at, const char* end) noexcept {
#if defined(__SSE2__)
  const auto stops = [](const char* from) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    const __m128i quote = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
    const __m128i backslash = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
    const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1F)), bytes);
    return static_cast<unsigned>(
        _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quote, backslash), control)));
  };
  for (; static_cast<std::size_t>(end - at) >= window; at += window) {
    if (const unsigned found = stops(at); found != 0) return at + std::countr_zero(found);
  }
  const auto seen = window - static_cast<std::size_t>(end - at);
  const unsigned found = stops(end - window) >> seen;
  return found != 0 ? at + std::countr_zero(found) : end;
#else
  return plain_end_by_bytes(at, end);
#endif
}

}  // namespace openai::reading
