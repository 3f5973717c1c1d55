// Two things of WebP that FFmpeg does not do as libwebp does: animations, and the conversion of
// colours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench-media/media.hpp>

namespace inferbench::media::webp {

[[nodiscard]] bool recognises(std::string_view file) noexcept;

/// The first picture of an animation.
struct first_picture {
  std::string file;  // a WebP file of this picture
  std::uint32_t left = 0;
  std::uint32_t top = 0;
  image canvas;  // the background of the animation
};

/// Returns no value if the file is no animation. Throws failure if its first picture is damaged, or
/// its canvas has more than most_pixels.
[[nodiscard]] std::optional<first_picture> first_of(std::string_view file);

/// Puts a picture on the canvas. Throws failure if it exceeds the canvas.
[[nodiscard]] image placed(first_picture on, const image& picture);

/// The planes of a picture in YUV 4:2:0. A plane of colours has half the width and height of the
/// picture, rounded up.
struct planes {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  struct plane {
    const std::uint8_t* data = nullptr;
    std::ptrdiff_t stride = 0;  // from one row to the next
  };
  plane y, u, v;
  plane alpha;  // data may be nullptr
};

/// Converts pictures of a lossy file as libwebp does by default: the colours of the four nearest
/// samples are mixed 9:3:3:1. [one thread]
class conversion {
 public:
  explicit conversion(const planes& from);
  /// Writes red, green, blue and alpha of a row.
  void row(std::uint32_t y, std::span<std::uint8_t> rgba);

 private:
  // Mixes two rows of samples 3:1, and then, for pixel x, two neighbours of the result.
  static void mix_rows(const planes::plane& from, std::ptrdiff_t near, std::ptrdiff_t far,
                       std::vector<std::uint16_t>& to);
  [[nodiscard]] static unsigned mixed(const std::vector<std::uint16_t>& rows, std::size_t x);

  const planes& from_;
  std::vector<std::uint16_t> u_;
  std::vector<std::uint16_t> v_;
};

}  // namespace inferbench::media::webp
