// Sound and video files for tests: fixtures, and files that a test makes or damages itself.
#pragma once

#include <bit>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <inferbench-media/media.hpp>

namespace inferbench::media::sound_files {

/// `name` is relative to tests/fixtures/media.
inline std::string fixture_file(const std::string& name) {
  std::ifstream file(std::string(INFERBENCH_FIXTURES) + "/media/" + name, std::ios::binary);
  EXPECT_TRUE(file.is_open()) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The lowest bytes of a number, the lowest first.
inline std::string little(std::uint64_t value, unsigned bytes) {
  std::string out;
  for (unsigned i = 0; i < bytes; ++i)
    out += static_cast<char>(value >> 8U * i & 0xFF);
  return out;
}

/// A WAV file with floats of 64 bits and 8000 samples a second.
inline std::string wav_of(const std::vector<double>& samples, unsigned channels = 1) {
  std::string data;
  for (const double sample : samples)
    data += little(std::bit_cast<std::uint64_t>(sample), 8);
  return "RIFF" + little(36 + data.size(), 4) + "WAVEfmt " + little(16, 4) + little(3, 2) +
         little(channels, 2) + little(8000, 4) + little(64'000 * channels, 4) +
         little(8 * channels, 2) + little(64, 2) + "data" + little(data.size(), 4) + data;
}

/// The samples of a WAV file with 16 bits and a head of 44 bytes.
inline std::vector<int> integers(std::string_view wav) {
  std::vector<int> out;
  for (std::size_t at = 44; at + 1 < wav.size(); at += 2)
    out.push_back(static_cast<std::int16_t>(static_cast<unsigned char>(wav[at]) |
                                            static_cast<unsigned char>(wav[at + 1]) << 8));
  return out;
}

/// Calls `use` with a copy of exactly the same size, so that a sanitizer detects a read past its
/// end. Returns whether `use` did not throw failure.
template <typename user>
bool accepts(std::string_view file, user use) {
  const std::vector<char> copy(file.begin(), file.end());
  try {
    use(std::string_view(copy.data(), copy.size()));
    return true;
  } catch (const failure& e) {
    EXPECT_STRNE(e.what(), "");
    EXPECT_EQ(e.kind(), cause::data) << e.what();
    return false;
  }
}

/// Calls `use` with `count` damaged copies: up to six bytes are changed, half of them in the head.
template <typename user>
void damage(const std::string& whole, int count, user use) {
  std::mt19937 random(7);
  for (int i = 0; i < count; ++i) {
    std::string damaged = whole;
    const auto changes = 1 + random() % 6;
    for (unsigned k = 0; k < changes; ++k) {
      const std::size_t end = random() % 2 == 0 ? damaged.size() : damaged.size() / 20 + 1;
      damaged[random() % end] = random() % 3 == 0 ? '\xFF' : static_cast<char>(random());
    }
    accepts(damaged, use);
  }
}

/// The text of the failure, or "none".
template <typename user>
std::string problem(user use) {
  try {
    use();
  } catch (const failure& e) {
    return e.what();
  }
  return "none";
}

}  // namespace inferbench::media::sound_files
