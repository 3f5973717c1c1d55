#include "rgb.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

namespace inferbench::media::rgb {

table greys() noexcept {
  table out{};
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i].fill(static_cast<std::uint8_t>(i));
  return out;
}

void from_table(std::span<const std::uint8_t> from, const table& colours,
                std::span<std::uint8_t> out) noexcept {
  const std::uint8_t* in = from.data();
  for (std::size_t i = 0; i < out.size(); i += 3) {
    const auto& colour = colours[*in++];
    out[i] = colour[0];
    out[i + 1] = colour[1];
    out[i + 2] = colour[2];
  }
}

void from_rgba(std::span<const std::uint8_t> from, std::span<std::uint8_t> out) noexcept {
  const std::uint8_t* in = from.data();
  for (std::size_t i = 0; i < out.size(); i += 3, in += 4) {
    out[i] = over_white(in[0], in[3]);
    out[i + 1] = over_white(in[1], in[3]);
    out[i + 2] = over_white(in[2], in[3]);
  }
}

void from_grey_alpha(std::span<const std::uint8_t> from, std::span<std::uint8_t> out) noexcept {
  const std::uint8_t* in = from.data();
  for (std::size_t i = 0; i < out.size(); i += 3, in += 2)
    out[i] = out[i + 1] = out[i + 2] = over_white(in[0], in[1]);
}

void from_grey16(std::span<const std::uint8_t> from, std::span<std::uint8_t> out) noexcept {
  const std::uint8_t* in = from.data();
  for (std::size_t i = 0; i < out.size(); i += 3, in += 2)
    out[i] = out[i + 1] = out[i + 2] = in[0] == 0 ? in[1] : 255;
}

void from_inverted_cmyk(std::span<const std::uint8_t> from, std::span<std::uint8_t> out) noexcept {
  const std::uint8_t* in = from.data();
  for (std::size_t i = 0; i < out.size(); i += 3, in += 4) {
    const unsigned light = in[3];  // the file's value is 255 minus the black ink
    for (std::size_t c = 0; c < 3; ++c) {
      // light - ink * light / 255, rounded as Pillow rounds; it is never negative.
      const unsigned y = (255U - in[c]) * light + 128;
      out[i + c] = static_cast<std::uint8_t>(light - (((y >> 8) + y) >> 8));
    }
  }
}

void check_size(std::uint64_t width, std::uint64_t height) {
  if (width == 0 || height == 0) throw failure(cause::data, "the image has no pixel");
  if (height > most_pixels / width)
    throw failure(cause::data, "the image has " + std::to_string(width) + " x " +
                                   std::to_string(height) + " pixels, and at most " +
                                   std::to_string(most_pixels) + " are allowed");
}

void check(const image_view& pixels) {
  check_size(pixels.width, pixels.height);
  const std::uint64_t bytes = std::uint64_t{pixels.width} * pixels.height * 3;
  if (pixels.rgb.size() != bytes)
    throw failure(cause::data, "the image has " + std::to_string(pixels.rgb.size()) +
                                   " bytes of pixels, and its size needs " + std::to_string(bytes));
}

}  // namespace inferbench::media::rgb
