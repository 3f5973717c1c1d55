#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <inferbench-media/media.hpp>

#include "picture_files.hpp"

namespace inferbench::media {

using testing::HasSubstr;

TEST(encode_png, keeps_all_pixels) {
  for (const auto& [width, height] :
       {std::pair{1U, 1U}, {7U, 5U}, {300U, 200U}, {1U, 1000U}, {70000U, 1U}}) {
    const image made = picture_files::noise_image(width, height);
    const image found = decode_image(encode_png(made));
    EXPECT_EQ(found.width, width);
    EXPECT_EQ(found.height, height);
    EXPECT_EQ(found.rgb, made.rgb);
  }
}

TEST(encode_png, writes_rgb_with_8_bits) {
  const std::string file = encode_png(picture_files::noise_image(20, 10));
  EXPECT_TRUE(file.starts_with(picture_files::png_head(20, 10, 8, 2)));
  EXPECT_TRUE(file.ends_with(picture_files::png_chunk("IEND", "")));
}

TEST(encode_png, compresses_an_image_of_one_colour) {
  const image plain{500, 500, std::vector<std::uint8_t>(750'000, 9)};
  EXPECT_LT(encode_png(plain).size(), 5000U);
}

TEST(encode_png, refuses_pixels_of_another_size) {
  const std::vector<std::uint8_t> pixels(11);
  EXPECT_EQ(picture_files::failure_of([&] { (void)encode_png(image_view(2, 2, pixels)); }),
            "the image has 11 bytes of pixels, and its size needs 12");
  EXPECT_EQ(picture_files::failure_of([&] { (void)encode_png(image_view(2, 0, {})); }),
            "the image has no pixel");
}

TEST(decode_png, refuses_wrong_checksums) {
  const std::string file = picture_files::png(1, 1, 8, 2, "abc");
  ASSERT_EQ(picture_files::failure_to_decode(file), "");
  std::string damaged = file;
  damaged[file.find("IDAT") + 13] ^= '\1';  // a pixel
  EXPECT_THAT(picture_files::failure_to_decode(damaged), HasSubstr("IDAT"));
  damaged = file;
  damaged[29] ^= '\1';  // the checksum of the head
  EXPECT_THAT(picture_files::failure_to_decode(damaged), HasSubstr("IHDR: CRC error"));
}

TEST(decode_png, refuses_fewer_rows_than_the_head_says) {
  const std::string file = picture_files::png(1, 1, 8, 2, "abc");
  const std::size_t head = picture_files::png_head(1, 1, 8, 2).size();
  EXPECT_THAT(
      picture_files::failure_to_decode(picture_files::png_head(1, 3, 8, 2) + file.substr(head)),
      HasSubstr("the PNG file"));
}

TEST(decode_png, ignores_texts_and_colour_profiles) {
  const std::string file = picture_files::png(1, 1, 8, 2, "abc");
  std::string more = file;
  more.insert(picture_files::png_head(1, 1, 8, 2).size(),
              picture_files::png_chunk("gAMA", picture_files::big(20'000, 4)) +
                  picture_files::png_chunk("zTXt", "k" + std::string(2, '\0') + "no zlib data") +
                  picture_files::png_chunk("iCCP", "no profile"));
  EXPECT_EQ(decode_image(more).rgb, decode_image(file).rgb);
}

TEST(decode_png, shows_indices_outside_of_the_palette_as_black) {
  std::string file = picture_files::png(3, 1, 8, 3, std::string("\0\1\xC8", 3));
  file.insert(picture_files::png_head(3, 1, 8, 3).size(),
              picture_files::png_chunk("PLTE", "abcdef"));
  EXPECT_EQ(decode_image(file).rgb,
            (std::vector<std::uint8_t>{'a', 'b', 'c', 'd', 'e', 'f', 0, 0, 0}));
}

}  // namespace inferbench::media
