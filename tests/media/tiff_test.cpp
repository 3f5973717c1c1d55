#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <inferbench-media/media.hpp>

#include "picture_files.hpp"

namespace inferbench::media {
namespace {

using tiff_tags = std::vector<std::pair<int, int>>;

// A file with the byte order "II" or "MM", one strip of pixels, 8 bits for each channel, and
// numbers of 2 bytes in further tags, which are in the order of their numbers.
std::string tiff_file(const std::string& order, int width, int height, int channels,
                      const std::string& pixels, const tiff_tags& more = {}) {
  const auto number = [&](int of, int bytes) {
    const auto value = static_cast<std::uint64_t>(of);
    return order == "MM" ? picture_files::big(value, bytes) : picture_files::little(value, bytes);
  };
  tiff_tags all{{256, width},
                {257, height},
                {258, 8},
                {259, 1},
                {262, channels < 3 ? 1 : 2},
                {273, 16},
                {277, channels},
                {278, height},
                {279, static_cast<int>(pixels.size())}};
  all.insert(all.end(), more.begin(), more.end());
  const int bits = 8;
  const std::size_t bits_at = 8;  // 4 numbers
  std::string out = order + number(42, 2) + number(static_cast<int>(16 + pixels.size()), 4);
  for (int i = 0; i < 4; ++i)
    out += number(bits, 2);
  out += pixels + number(static_cast<int>(all.size()), 2);
  for (const auto& [tag, value] : all) {
    const bool list = tag == 258 && channels > 2;
    out += number(tag, 2) + number(3, 2) + number(tag == 258 ? channels : 1, 4);
    if (list)
      out += number(static_cast<int>(bits_at), 4);
    else
      out += number(value, 2) + number(tag == 258 ? value : 0, 2);
  }
  return out + number(0, 4);
}

using pixels_of_tiff = std::vector<std::uint8_t>;

}  // namespace

TEST(tiff, has_both_byte_orders) {
  for (const char* order : {"II", "MM"}) {
    EXPECT_EQ(decode_image(tiff_file(order, 2, 1, 3, "abcdef")).rgb,
              (pixels_of_tiff{'a', 'b', 'c', 'd', 'e', 'f'}));
    EXPECT_EQ(decode_image(tiff_file(order, 2, 1, 1, "ab")).rgb,
              (pixels_of_tiff{'a', 'a', 'a', 'b', 'b', 'b'}));
  }
}

TEST(tiff, is_turned_in_any_case_as_pillow_turns_it) {
  for (const orientation turn : {orientation::as_stored, orientation::upright}) {
    const image found = decode_image(tiff_file("MM", 2, 1, 1, "ab", {{274, 6}}), turn);
    EXPECT_EQ(found.width, 1U);
    EXPECT_EQ(found.height, 2U);
    EXPECT_EQ(decode_image(tiff_file("II", 2, 1, 1, "ab", {{274, 3}}), turn).rgb,
              (pixels_of_tiff{'b', 'b', 'b', 'a', 'a', 'a'}));
  }
}

TEST(tiff, may_have_tags_that_nobody_knows) {
  EXPECT_EQ(decode_image(tiff_file("II", 1, 1, 3, "abc", {{700, 1}, {65000, 7}})).rgb,
            (pixels_of_tiff{'a', 'b', 'c'}));
}

TEST(tiff, is_transparent_only_if_its_fourth_channel_is_an_opacity) {
  const std::string pixel("\0\0\0\0", 4);
  EXPECT_EQ(decode_image(tiff_file("II", 1, 1, 4, pixel, {{338, 2}})).rgb,
            (pixels_of_tiff{255, 255, 255}));
  EXPECT_EQ(decode_image(tiff_file("II", 1, 1, 4, pixel, {{338, 0}})).rgb,
            (pixels_of_tiff{0, 0, 0}));
}

TEST(tiff, is_refused_if_its_samples_are_signed_or_floating) {
  for (const int format : {2, 3})
    EXPECT_EQ(picture_files::failure_to_decode(tiff_file("II", 1, 1, 1, "a", {{339, format}})),
              "the TIFF file has samples that are not unsigned integers");
  EXPECT_EQ(picture_files::failure_to_decode(tiff_file("II", 1, 1, 1, "a", {{339, 1}})), "");
}

TEST(tiff, is_refused_if_its_directory_is_damaged) {
  const std::string file = tiff_file("MM", 2, 1, 3, "abcdef");
  for (const char* place : {"\0\0\0\0", "\0\0\0\7", "\xFF\xFF\xFF\xFF", "\0\0\0\x17"}) {
    std::string damaged = file;
    damaged.replace(4, 4, std::string(place, 4));
    EXPECT_THAT(picture_files::failure_to_decode(damaged), testing::Not(testing::IsEmpty()));
  }
}

}  // namespace inferbench::media
