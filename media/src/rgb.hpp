// Conversions of pixels to RGB with 8 bits, and checks that all image codecs share.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include <inferbench-media/media.hpp>

namespace inferbench::media::rgb {

/// The colour of each value of a pixel with 8 bits: a palette, or greys.
using table = std::array<std::array<std::uint8_t, 3>, 256>;

/// The grey of each value.
[[nodiscard]] table greys() noexcept;

/// A channel's value `v` with opacity `alpha` before a white background, rounded as Pillow rounds.
[[nodiscard]] constexpr std::uint8_t over_white(unsigned v, unsigned alpha) noexcept {
  const unsigned y = 255 * (255 - alpha) + v * alpha + 128;
  return static_cast<std::uint8_t>(((y >> 8) + y) >> 8);
}

// Each function converts the pixels of `from` until `out`, which has 3 bytes a pixel, is full.

void from_table(std::span<const std::uint8_t> from, const table& colours,
                std::span<std::uint8_t> out) noexcept;
/// Red, green, blue and alpha.
void from_rgba(std::span<const std::uint8_t> from, std::span<std::uint8_t> out) noexcept;
/// Grey and alpha.
void from_grey_alpha(std::span<const std::uint8_t> from, std::span<std::uint8_t> out) noexcept;
/// Greys of 16 bits, the high byte first. All values from 255 become white, as in Pillow.
void from_grey16(std::span<const std::uint8_t> from, std::span<std::uint8_t> out) noexcept;
/// Cyan, magenta, yellow and black, where 255 means no ink: Adobe's and Pillow's view of JPEG.
void from_inverted_cmyk(std::span<const std::uint8_t> from, std::span<std::uint8_t> out) noexcept;

/// Throws failure if an image of this size has no pixel, or more than most_pixels.
void check_size(std::uint64_t width, std::uint64_t height);

/// Throws failure if the view has no pixel, or its pixels do not match its size.
void check(const image_view& pixels);

}  // namespace inferbench::media::rgb
