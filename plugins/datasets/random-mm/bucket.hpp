// The sizes of the images and videos of random-mm, and how often each size is drawn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace random_mm {

enum class modality : std::uint8_t { image, video };
inline constexpr std::size_t modality_count = 2;

/// A plain value.
struct bucket {
  std::uint32_t height = 0;  // in pixels
  std::uint32_t width = 0;   // in pixels
  std::uint32_t frames = 0;  // 1: an image; more: a video
  double weight = 0;

  [[nodiscard]] modality kind() const noexcept {
    return frames == 1 ? modality::image : modality::video;
  }
  /// Returns the number of bytes of the pixels, three for each.
  [[nodiscard]] std::uint64_t bytes() const noexcept {
    return std::uint64_t{height} * width * frames * 3;
  }
  /// Returns a text such as "(720, 1280, 16)".
  [[nodiscard]] std::string text() const;
};

/// Limits of one bucket. A side is at most as long as a JPEG file can store it.
inline constexpr std::int64_t longest_side = 65'500;
inline constexpr std::uint64_t most_video_bytes = std::uint64_t{2} << 30U;

/// Reads the text of a Python dict whose keys are tuples (height, width, frames), or strings that
/// contain such a tuple, and whose values are weights:
///
///   {(256, 256, 1): 0.7, "(64, 64, 8)": 0.3}
///
/// Therefore it also reads a JSON object. If a key occurs twice, its last weight counts, as in
/// Python. Returns the buckets in the order of the text, which matters when buckets are drawn.
/// Throws ifb::failure (IFB_E_CONFIG) for the option bucket-config.
[[nodiscard]] std::vector<bucket> parse_buckets(std::string_view text);

}  // namespace random_mm
