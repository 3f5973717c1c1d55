#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <inferbench-media/media.hpp>

#include "picture_files.hpp"

namespace inferbench::media {

using testing::HasSubstr;

TEST(encode_jpeg, writes_the_bytes_that_pillow_writes) {
  struct reference {
    std::uint32_t width, height;
    std::size_t bytes;
    std::uint64_t hash;
  };
  for (const reference& one :
       {reference{1, 1, 632, 0x8ff25a1acbd35f78}, reference{17, 33, 1084, 0xfa9c972392124491},
        reference{64, 48, 2472, 0x5548bde85621254e}, reference{1024, 16, 10513, 0x73e15d7f548dfe79},
        reference{512, 512, 158246, 0x8ae8920ed9b1bf66}}) {
    const std::string file = encode_jpeg(picture_files::noise_image(one.width, one.height));
    EXPECT_EQ(file.size(), one.bytes) << one.width;
    EXPECT_EQ(picture_files::hash(file), one.hash) << one.width;
  }
}

TEST(encode_jpeg, writes_a_baseline_file_with_a_jfif_header) {
  const std::string file = encode_jpeg(picture_files::noise_image(20, 10));
  EXPECT_EQ(file.substr(0, 20), std::string("\xFF\xD8\xFF\xE0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0", 20));
  // The tables of quality 75; the frame has 8 bits, and colours at half the resolution.
  EXPECT_NE(file.find(std::string("\xFF\xDB\0\x43\0\x08\6\6\7\6\5\x08\7", 13)), std::string::npos);
  EXPECT_NE(file.find(std::string("\xFF\xC0\0\x11\x08\0\x0A\0\x14\3\1\x22\0\2\x11\1\3\x11\1", 19)),
            std::string::npos);
}

TEST(encode_jpeg, keeps_smooth_pixels_nearly_as_they_are) {
  image smooth{40, 30, std::vector<std::uint8_t>(std::size_t{40} * 30 * 3)};
  for (std::size_t i = 0; i < smooth.rgb.size(); ++i)
    smooth.rgb[i] = static_cast<std::uint8_t>(i / 3 % 40 + i / 120 * 5);
  const image found = decode_image(encode_jpeg(smooth));
  ASSERT_EQ(found.rgb.size(), smooth.rgb.size());
  for (std::size_t i = 0; i < found.rgb.size(); ++i)
    ASSERT_NEAR(found.rgb[i], smooth.rgb[i], 6) << i;
}

TEST(encode_jpeg, refuses_images_that_a_file_cannot_have) {
  const auto refusal = [](std::uint32_t width, std::uint32_t height, std::size_t bytes) {
    const std::vector<std::uint8_t> pixels(bytes);
    return picture_files::failure_of([&] { (void)encode_jpeg(image_view(width, height, pixels)); });
  };
  EXPECT_EQ(refusal(0, 5, 0), "the image has no pixel");
  EXPECT_EQ(refusal(2, 2, 11), "the image has 11 bytes of pixels, and its size needs 12");
  EXPECT_EQ(refusal(65501, 1, std::size_t{65501} * 3),
            "the image has 65501 x 1 pixels, and a JPEG file has at most 65500 on a side");
  EXPECT_EQ(refusal(1, 65500, std::size_t{65500} * 3), "");
  EXPECT_THAT(refusal(0xFFFFFFFF, 0xFFFFFFFF, 3), HasSubstr("are allowed"));
}

TEST(decode_jpeg, refuses_a_file_of_thousands_of_scans) {
  const std::string file = picture_files::read("progressive.jpg");
  const std::size_t last = file.rfind("\xFF\xDA");
  const std::string end = "\xFF\xD9";
  const std::string scan = file.substr(last, file.size() - last - end.size());
  std::string many = file.substr(0, last);
  for (int i = 0; i < 2000; ++i)
    many += scan;
  EXPECT_THAT(picture_files::failure_to_decode(many + end), HasSubstr("more than 500 scans"));
}

TEST(decode_jpeg, refuses_two_colours_and_12_bits) {
  std::string two = picture_files::read("../photo1.jpg");
  const std::size_t frame = two.find("\xFF\xC0");
  ASSERT_NE(frame, std::string::npos);
  std::string deep = two;
  deep[frame + 4] = 12;
  EXPECT_THAT(picture_files::failure_to_decode(deep), HasSubstr("the JPEG file"));
  two.replace(frame, 2 + 17, std::string("\xFF\xC0\0\x0E\x08\0\x40\0\x60\2\1\x11\0\2\x11\1", 16));
  const std::size_t scan = two.find("\xFF\xDA");
  two.replace(scan, 2 + 12, std::string("\xFF\xDA\0\x0A\2\1\0\2\x11\0\x3F\0", 12));
  EXPECT_EQ(picture_files::failure_to_decode(two), "the JPEG file has 2 colours");
}

TEST(decode_jpeg, reads_red_green_and_blue_that_are_not_converted) {
  // Adobe's segment with the transformation 0 says that the three colours are RGB.
  const std::string file = encode_jpeg(image{8, 8, std::vector<std::uint8_t>(192, 200)});
  const std::string without_jfif = file.substr(0, 2) + file.substr(20);
  const std::string adobe("Adobe\0\x64\0\0\0\0\0", 12);
  const image found = decode_image(picture_files::jpeg_with(without_jfif, 0xEE, adobe));
  EXPECT_NEAR(found.rgb[0], 200, 2);
  EXPECT_NEAR(found.rgb[1], 128, 2);
  EXPECT_NEAR(found.rgb[2], 128, 2);
}

}  // namespace inferbench::media
