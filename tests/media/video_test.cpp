// Tests of the encoder of MP4 files. inspect() decodes what was encoded.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <inferbench-media/media.hpp>

#include "media/sound_files.hpp"

namespace inferbench::media {
namespace {

// The same pixels in each run.
std::vector<std::uint8_t> noise_video(std::uint32_t width, std::uint32_t height,
                                      std::uint32_t frames) {
  std::mt19937 random(width * 31 + height);
  std::vector<std::uint8_t> out(std::size_t{width} * height * frames * 3);
  std::ranges::generate(out, [&] { return static_cast<std::uint8_t>(random() >> 5U); });
  return out;
}

std::string noise_mp4(std::uint32_t width, std::uint32_t height, std::uint32_t frames) {
  const auto pixels = noise_video(width, height, frames);
  return encode_mp4({.width = width, .height = height, .frames = frames, .rgb = pixels});
}

TEST(mp4, has_each_frame_in_its_size) {
  constexpr std::array<std::array<std::uint32_t, 3>, 8> cases{{{64, 48, 8},
                                                               {64, 48, 1},
                                                               {1, 1, 2},
                                                               {15, 17, 5},
                                                               {1, 33, 3},
                                                               {257, 1, 30},
                                                               {8191, 2, 2},
                                                               {3, 8191, 1}}};
  for (const auto& [width, height, frames] : cases) {
    SCOPED_TRACE(std::to_string(width) + " x " + std::to_string(height));
    const facts found = inspect(noise_mp4(width, height, frames), kind::video);
    EXPECT_EQ(found.format, "video/mp4");
    EXPECT_EQ(found.width, width);
    EXPECT_EQ(found.height, height);
    EXPECT_EQ(found.frames, frames);
    EXPECT_NEAR(found.seconds, frames / 30.0, 1e-9);
  }
}

TEST(mp4, keeps_frames_that_are_equal) {
  const std::vector<std::uint8_t> black(32 * 32 * 40 * 3);
  const std::string file = encode_mp4({.width = 32, .height = 32, .frames = 40, .rgb = black});
  EXPECT_EQ(inspect(file, kind::video).frames, 40U);
}

TEST(mp4, has_the_tag_mp4v_and_no_time) {
  const std::string file = noise_mp4(32, 16, 2);
  EXPECT_EQ(file.substr(4, 4), "ftyp");
  EXPECT_NE(file.find("mp4v"), file.npos);
  // Creation and modification follow version and flags.
  const auto head = file.find("mvhd");
  ASSERT_NE(head, file.npos);
  EXPECT_EQ(file.substr(head + 4, 12), std::string(12, '\0'));
}

TEST(mp4, of_equal_frames_is_equal_on_any_thread) {
  const std::string expected = noise_mp4(48, 32, 4);
  EXPECT_NE(noise_mp4(32, 48, 4), expected);
  std::array<std::string, 4> made;
  std::vector<std::thread> threads;
  for (std::string& one : made)
    threads.emplace_back([&] { one = noise_mp4(48, 32, 4); });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_THAT(made, testing::Each(expected));
}

TEST(mp4, of_noise_is_larger_than_of_one_colour) {
  const std::vector<std::uint8_t> grey(64 * 64 * 4 * 3, 128);
  const std::string calm = encode_mp4({.width = 64, .height = 64, .frames = 4, .rgb = grey});
  EXPECT_LT(calm.size(), 2000U);
  EXPECT_GT(noise_mp4(64, 64, 4).size(), 8000U);
}

TEST(mp4, of_impossible_frames_is_refused) {
  const auto pixels = noise_video(16, 16, 2);
  const auto problem = [&](std::uint32_t width, std::uint32_t height, std::uint32_t frames) {
    return sound_files::problem([&] {
      static_cast<void>(
          encode_mp4({.width = width, .height = height, .frames = frames, .rgb = pixels}));
    });
  };
  EXPECT_EQ(problem(16, 16, 2), "none");
  EXPECT_EQ(problem(16, 16, 0), "a video has at least one frame");
  EXPECT_EQ(problem(16, 16, 3), "the pixels of the video do not fill its frames");
  EXPECT_EQ(problem(0, 16, 2),
            "an MPEG-4 video has from 1 to 8191 pixels in a row and in a column, and not 0 x 16");
  EXPECT_EQ(problem(8192, 1, 1),
            "an MPEG-4 video has from 1 to 8191 pixels in a row and in a column, and not 8192 x 1");
  EXPECT_NE(problem(4'000'000'000, 4'000'000'000, 4'000'000'000), "none");
}

}  // namespace
}  // namespace inferbench::media
