#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <inferbench-media/media.hpp>

#include "picture_files.hpp"

namespace inferbench::media {
namespace {

// The places of the parts of animated.webp: RIFF head, VP8X, ANIM, ANMF.
constexpr std::size_t canvas_at = 24;
constexpr std::size_t frame_at = 12 + 18 + 14 + 8;

}  // namespace

TEST(webp, puts_the_first_picture_of_an_animation_on_its_canvas) {
  std::string file = picture_files::read("animated.webp");
  ASSERT_EQ(file.substr(frame_at - 8, 4), "ANMF");
  const image whole = decode_image(file);
  file.replace(canvas_at, 6,
               picture_files::little(whole.width + 9, 3) +  // minus 1
                   picture_files::little(whole.height + 4, 3));
  file.replace(frame_at, 6, picture_files::little(1, 3) + picture_files::little(2, 3));  // halves
  const image found = decode_image(file);
  ASSERT_EQ(found.width, whole.width + 10);
  ASSERT_EQ(found.height, whole.height + 5);
  EXPECT_EQ(found.rgb[0], 0);  // black, because the animation has no transparency
  const std::size_t first = (std::size_t{4} * found.width + 2) * 3;
  for (std::size_t i = 0; i < std::size_t{whole.width} * 3; ++i)
    ASSERT_EQ(found.rgb[first + i], whole.rgb[i]) << i;
}

TEST(webp, shows_the_canvas_of_a_transparent_animation_as_white) {
  std::string file = picture_files::read("animated.webp");
  file[20] = static_cast<char>(file[20] | 0x10);
  file.replace(frame_at, 3, picture_files::little(1, 3));
  file.replace(canvas_at, 3, picture_files::little(400, 3));
  EXPECT_EQ(decode_image(file).rgb[0], 255);
}

TEST(webp, refuses_a_picture_outside_of_its_canvas) {
  std::string file = picture_files::read("animated.webp");
  file.replace(frame_at, 3, picture_files::little(1, 3));
  EXPECT_EQ(picture_files::failure_to_decode(file),
            "the WebP file has a picture outside of its canvas");
}

TEST(webp, refuses_an_animation_without_pictures) {
  const std::string head = "WEBPVP8X" + picture_files::little(10, 4) + picture_files::little(2, 4) +
                           std::string(6, '\0');
  const std::string file = "RIFF" + picture_files::little(head.size(), 4) + head;
  EXPECT_EQ(picture_files::failure_to_decode(file), "the WebP file has no picture");
}

}  // namespace inferbench::media
