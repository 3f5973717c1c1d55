// The codecs that images and videos of noise need.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <inferbench-media/media.hpp>

#include "support/media.hpp"

namespace random_mm {

/// Skips each test if this build lacks a codec, and fails it if the codecs are required.
class media_test : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::array<std::uint8_t, std::size_t{16} * 16 * 3> black{};
    try {
      (void)inferbench::media::encode_jpeg({16, 16, black});
      (void)inferbench::media::encode_mp4({16, 16, 1, black});
    } catch (const inferbench::media::failure& e) {
      INFERBENCH_LACKS_MEDIA(e.what());
    }
  }
};

/// "image/jpeg 64x48x1": format, width, height and number of frames of a file.
inline std::string facts_of(std::string_view file, inferbench::media::kind kind) {
  const inferbench::media::facts all = inferbench::media::inspect(file, kind);
  return all.format + " " + std::to_string(all.width) + "x" + std::to_string(all.height) + "x" +
         std::to_string(all.frames);
}

}  // namespace random_mm
