#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <inferbench-media/media.hpp>

#include "picture_files.hpp"

namespace inferbench::media {
namespace {

// 3 x 2 pixels: abc, and below def.
std::string picture_of_letters() { return picture_files::png(3, 2, 8, 0, "abcdef"); }

std::string with_chunk(const std::string& data, bool before_pixels = true) {
  const std::string file = picture_of_letters();
  const std::size_t at = before_pixels ? picture_files::png_head(3, 2, 8, 0).size()
                                       : file.size() - picture_files::png_chunk("IEND", "").size();
  return file.substr(0, at) + picture_files::png_chunk("eXIf", data) + file.substr(at);
}

// The rows of pixels, each followed by '/'.
std::string letters(const std::string& file, orientation turn = orientation::upright) {
  const image found = decode_image(file, turn);
  std::string out;
  for (std::size_t i = 0; i < found.rgb.size(); i += 3) {
    out.push_back(static_cast<char>(found.rgb[i]));
    if (i / 3 % found.width + 1 == found.width) out.push_back('/');
  }
  return out;
}

}  // namespace

TEST(exif, turns_and_mirrors_all_orientations) {
  const std::vector<std::string> upright{"abc/def/",  "abc/def/",  "cba/fed/",  "fed/cba/",
                                         "def/abc/",  "ad/be/cf/", "da/eb/fc/", "fc/eb/da/",
                                         "cf/be/ad/", "abc/def/"};
  for (std::size_t i = 0; i < upright.size(); ++i)
    for (const char* order : {"II", "MM"}) {
      const std::string data = picture_files::exif(order, static_cast<int>(i));
      EXPECT_EQ(letters(with_chunk(data)), upright[i]) << i;
      EXPECT_EQ(letters(with_chunk(data, false)), upright[i]) << i;
      EXPECT_EQ(letters(with_chunk(data), orientation::as_stored), "abc/def/") << i;
    }
}

TEST(exif, is_in_the_first_segment_of_a_jpeg_file_that_has_it) {
  const std::string file = encode_jpeg(picture_files::noise_image(24, 8));
  const std::string head("Exif\0\0", 6);
  std::string turned = picture_files::jpeg_with(file, 0xE1, head + picture_files::exif("MM", 3));
  turned = picture_files::jpeg_with(turned, 0xE1, head + picture_files::exif("II", 8));
  turned =
      picture_files::jpeg_with(turned, 0xE1, std::string("http://ns.adobe.com/xap/1.0/\0", 29));
  const image stored = decode_image(turned);
  EXPECT_EQ(stored.rgb, decode_image(file).rgb);
  const image found = decode_image(turned, orientation::upright);
  EXPECT_EQ(found.width, 8U);
  EXPECT_EQ(found.height, 24U);
  // Counterclockwise: the last pixel of the first row becomes the first.
  for (std::size_t c = 0; c < 3; ++c)
    EXPECT_EQ(found.rgb[c], stored.rgb[23 * 3 + c]);
}

TEST(exif, is_in_a_chunk_of_a_webp_file) {
  std::string file = picture_files::read("lossless_alpha.webp");
  const std::string data = picture_files::exif("II", 6);
  file += "EXIF" + picture_files::little(data.size(), 4) + data;
  file.replace(4, 4, picture_files::little(file.size() - 8, 4));
  const image stored = decode_image(file);
  const image found = decode_image(file, orientation::upright);
  EXPECT_EQ(found.width, stored.height);
  EXPECT_EQ(found.height, stored.width);
  const std::size_t last_row = std::size_t{stored.width} * (stored.height - 1) * 3;
  for (std::size_t c = 0; c < 3; ++c)
    EXPECT_EQ(found.rgb[c], stored.rgb[last_row + c]);
}

TEST(exif, is_ignored_if_it_is_damaged) {
  const std::string data = picture_files::exif("MM", 3);
  for (std::size_t length = 0; length < data.size(); ++length)
    EXPECT_THAT(letters(with_chunk(data.substr(0, length))), testing::AnyOf("abc/def/", "fed/cba/"))
        << length;
  for (const char* bad : {"MM\0*\xFF\xFF\xFF\xFF", "II*\0\xF0\xFF\xFF\xFF", "MM\0*\0\0\0\4"})
    EXPECT_EQ(letters(with_chunk(std::string(bad, 8))), "abc/def/");
  for (std::uint32_t seed = 1; seed < 50; ++seed) {
    const auto bytes = picture_files::noise(200, seed);
    EXPECT_EQ(letters(with_chunk(std::string("II*\0\x08\0\0\0", 8) +
                                 std::string(bytes.begin(), bytes.end())))
                  .size(),
              letters(picture_of_letters()).size());
  }
}

}  // namespace inferbench::media
