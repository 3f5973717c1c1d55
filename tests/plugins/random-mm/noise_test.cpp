#include "datasets/random-mm/noise.hpp"

#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/guard.hpp>

#include "plugins/random-mm/codecs.hpp"

namespace random_mm {
namespace {

using ::testing::HasSubstr;

using noise_of_a_size = media_test;

TEST_F(noise_of_a_size, an_image_has_the_drawn_pixels) {
  const bucket size{17, 23, 1, 1};
  ifb::numpy_pcg64 random(4);
  ifb::numpy_pcg64 same(4);
  noise maker;
  const std::string file = maker.file(size, random);
  std::vector<std::uint8_t> pixels(size.bytes());
  same.bytes(pixels);
  EXPECT_EQ(file, inferbench::media::encode_jpeg({23, 17, pixels}));
  EXPECT_TRUE(random == same);
  EXPECT_EQ(facts_of(file, inferbench::media::kind::image), "image/jpeg 23x17x1");
}

TEST_F(noise_of_a_size, a_video_has_the_drawn_bytes_as_blue_green_and_red) {
  const bucket size{64, 48, 8, 1};
  ifb::numpy_pcg64 random(4);
  ifb::numpy_pcg64 same(4);
  noise maker;
  const std::string file = maker.file(size, random);
  std::vector<std::uint8_t> pixels(size.bytes());
  same.bytes(pixels);
  for (std::size_t i = 0; i < pixels.size(); i += 3)
    std::swap(pixels[i], pixels[i + 2]);
  EXPECT_EQ(file, inferbench::media::encode_mp4({48, 64, 8, pixels}));
  EXPECT_TRUE(random == same);
  EXPECT_EQ(facts_of(file, inferbench::media::kind::video), "video/mp4 48x64x8");
}

TEST_F(noise_of_a_size, media_are_the_same_however_small_the_budget_is) {
  const bucket sizes[] = {{32, 32, 1, 1}, {16, 16, 5, 1}, {64, 64, 1, 1}};
  const auto file = [](noise& from, const bucket& of) {
    ifb::numpy_pcg64 random(of.height);
    return from.file(of, random);
  };
  noise roomy;
  std::vector<std::string> expected;
  for (const bucket& each : sizes)
    expected.push_back(file(roomy, each));
  // Less than the smallest medium: the threads take turns.
  noise tight(100);
  std::vector<std::vector<std::string>> found(4);
  std::vector<std::thread> threads;
  for (auto& mine : found)
    threads.emplace_back([&] {
      for (int round = 0; round < 5; ++round) {
        mine.clear();
        for (const bucket& each : sizes)
          mine.push_back(file(tight, each));
      }
    });
  for (std::thread& each : threads)
    each.join();
  EXPECT_THAT(found, ::testing::Each(expected));
}

TEST_F(noise_of_a_size, a_size_that_the_format_cannot_store_is_refused_before_the_run) {
  noise maker;
  EXPECT_NO_THROW(maker.check({64, 48, 8, 1}));
  EXPECT_NO_THROW(maker.check({8, 9000, 1, 1}));
  try {
    maker.check({8, 9000, 2, 1});
    ADD_FAILURE() << "not refused";
  } catch (const ifb::failure& e) {
    EXPECT_EQ(e.code(), IFB_E_CONFIG);
    EXPECT_EQ(e.option(), "bucket-config");
    EXPECT_THAT(e.message(), HasSubstr("the bucket (8, 9000, 2) cannot be encoded: "));
  }
}

}  // namespace
}  // namespace random_mm
