#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <inferbench-media/media.hpp>

#include "picture_files.hpp"

namespace inferbench::media {
namespace {

// Each value with each opacity before white, rounded to the nearest integer.
int expected_over_white(int value, int alpha) {
  return static_cast<int>(std::lround((255.0 * (255 - alpha) + value * alpha) / 255.0));
}

}  // namespace

TEST(rgb, puts_transparent_colours_before_white) {
  std::string pixels;
  for (int alpha = 0; alpha < 256; ++alpha)
    for (int v = 0; v < 256; ++v)
      for (const int byte : {v, 255 - v, v / 2, alpha})
        pixels.push_back(static_cast<char>(byte));
  const image found = decode_image(picture_files::png(256, 256, 8, 6, pixels));
  ASSERT_EQ(found.rgb.size(), 196'608U);
  for (std::size_t i = 0; i < found.rgb.size(); i += 3) {
    const int v = static_cast<int>(i / 3 % 256);
    const int alpha = static_cast<int>(i / 3 / 256);
    ASSERT_EQ(found.rgb[i], expected_over_white(v, alpha)) << v << " " << alpha;
    ASSERT_EQ(found.rgb[i + 1], expected_over_white(255 - v, alpha)) << v << " " << alpha;
    ASSERT_EQ(found.rgb[i + 2], expected_over_white(v / 2, alpha)) << v << " " << alpha;
  }
}

TEST(rgb, puts_transparent_greys_before_white) {
  std::string pixels;
  for (int alpha = 0; alpha < 256; ++alpha)
    for (int v = 0; v < 256; ++v)
      for (const int byte : {v, alpha})
        pixels.push_back(static_cast<char>(byte));
  const image found = decode_image(picture_files::png(256, 256, 8, 4, pixels));
  ASSERT_EQ(found.rgb.size(), 196'608U);
  for (std::size_t i = 0; i < found.rgb.size(); ++i)
    ASSERT_EQ(found.rgb[i],
              expected_over_white(static_cast<int>(i / 3 % 256), static_cast<int>(i / 3 / 256)));
}

TEST(rgb, takes_the_high_byte_of_colours_with_16_bits) {
  const image found =
      decode_image(picture_files::png(1, 1, 16, 2, std::string("\x12\xFF\x34\0\x56\x80", 6)));
  EXPECT_EQ(found.rgb, (std::vector<std::uint8_t>{0x12, 0x34, 0x56}));
}

TEST(rgb, clips_greys_with_16_bits_as_pillow_does) {
  std::string pixels;
  for (int v = 0; v < 1024; ++v)
    pixels += picture_files::big(static_cast<std::uint64_t>(v), 2);
  const image found = decode_image(picture_files::png(1024, 1, 16, 0, pixels));
  ASSERT_EQ(found.rgb.size(), 3072U);
  for (std::size_t i = 0; i < found.rgb.size(); ++i)
    ASSERT_EQ(found.rgb[i], std::min<std::size_t>(i / 3, 255));
}

TEST(rgb, repeats_greys) {
  std::string pixels;
  for (int v = 0; v < 256; ++v)
    pixels.push_back(static_cast<char>(v));
  const image found = decode_image(picture_files::png(256, 1, 8, 0, pixels));
  ASSERT_EQ(found.rgb.size(), 768U);
  for (std::size_t i = 0; i < found.rgb.size(); ++i)
    ASSERT_EQ(found.rgb[i], i / 3);
}

TEST(rgb, keeps_the_transparent_colour_of_rgb) {
  std::string file = picture_files::png(2, 1, 8, 2, "abcdef");
  file.insert(picture_files::png_head(2, 1, 8, 2).size(),
              picture_files::png_chunk("tRNS", std::string("\0a\0b\0c", 6)));
  EXPECT_EQ(decode_image(file).rgb, (std::vector<std::uint8_t>{'a', 'b', 'c', 'd', 'e', 'f'}));
}

}  // namespace inferbench::media
