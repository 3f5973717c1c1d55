// Image files for tests: fixtures, and files that a test makes or damages itself.
#pragma once

#include <array>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <inferbench-media/media.hpp>

namespace inferbench::media::picture_files {

/// `name` is relative to tests/fixtures/media/images.
inline std::string read(const std::string& name) {
  std::ifstream file(std::string(INFERBENCH_FIXTURES) + "/media/images/" + name, std::ios::binary);
  EXPECT_TRUE(file.is_open()) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

/// FNV-1a with 64 bits.
template <typename bytes>
std::uint64_t hash(const bytes& of) {
  std::uint64_t out = 14695981039346656037U;
  for (const auto byte : of)
    out = (out ^ static_cast<std::uint8_t>(byte)) * 1099511628211U;
  return out;
}

/// The same bytes in each run.
inline std::vector<std::uint8_t> noise(std::size_t count, std::uint32_t seed = 1) {
  std::vector<std::uint8_t> out(count);
  for (std::uint8_t& byte : out) {
    seed = seed * 1664525U + 1013904223U;
    byte = static_cast<std::uint8_t>(seed >> 24);
  }
  return out;
}

inline image noise_image(std::uint32_t width, std::uint32_t height) {
  return {width, height, noise(std::size_t{width} * height * 3)};
}

/// The text of the failure, or an empty text if `work` does not fail.
template <typename job>
std::string failure_of(job work) {
  try {
    work();
  } catch (const failure& e) {
    EXPECT_EQ(e.kind(), cause::data) << e.what();
    EXPECT_NE(std::string_view(e.what()), "");
    return e.what();
  }
  return {};
}

inline std::string failure_to_decode(std::string_view file) {
  return failure_of([&] { (void)decode_image(file, orientation::upright); });
}

// ---- numbers in files --------------------------------------------------------------------------

inline std::string big(std::uint64_t number, int bytes) {
  std::string out;
  for (int i = bytes; i > 0; --i)
    out.push_back(static_cast<char>(number >> (8 * (i - 1))));
  return out;
}

inline std::string little(std::uint64_t number, int bytes) {
  const std::string reversed = big(number, bytes);
  return {reversed.rbegin(), reversed.rend()};
}

// ---- PNG ---------------------------------------------------------------------------------------

inline std::string png_chunk(const std::string& name, const std::string& data) {
  const std::string body = name + data;
  std::uint32_t sum = 0xFFFFFFFFU;
  for (const char byte : body) {
    sum ^= static_cast<std::uint8_t>(byte);
    for (int bit = 0; bit < 8; ++bit)
      sum = (sum & 1U) != 0 ? sum >> 1 ^ 0xEDB88320U : sum >> 1;
  }
  return big(data.size(), 4) + body + big(~sum & 0xFFFFFFFFU, 4);
}

inline std::string png_head(std::uint64_t width, std::uint64_t height, int depth, int type,
                            int interlaced = 0) {
  return "\x89PNG\r\n\x1A\n" +
         png_chunk("IHDR", big(width, 4) + big(height, 4) + static_cast<char>(depth) +
                               static_cast<char>(type) + big(0, 2) + static_cast<char>(interlaced));
}

/// A file of whole bytes, whose data are stored and not compressed.
inline std::string png(std::uint32_t width, std::uint32_t height, int depth, int type,
                       std::string_view pixels) {
  const std::size_t row = pixels.size() / height;
  std::string data = "\x78\x01";
  std::uint32_t a = 1;
  std::uint32_t b = 0;
  for (std::uint32_t y = 0; y < height; ++y) {
    const std::string line = '\0' + std::string(pixels.substr(y * row, row));
    for (const char byte : line) {
      a = (a + static_cast<std::uint8_t>(byte)) % 65521;
      b = (b + a) % 65521;
    }
    data += static_cast<char>(y + 1 == height ? 1 : 0);  // the last block?
    data += little(line.size(), 2) + little(~line.size() & 0xFFFFU, 2) + line;
  }
  data += big(b, 2) + big(a, 2);
  return png_head(width, height, depth, type) + png_chunk("IDAT", data) + png_chunk("IEND", "");
}

// ---- EXIF --------------------------------------------------------------------------------------

/// EXIF data, "II" or "MM", with a maker and an orientation.
inline std::string exif(const std::string& order, int orientation) {
  const auto number = [&](std::uint64_t of, int bytes) {
    return order == "MM" ? big(of, bytes) : little(of, bytes);
  };
  return order + number(42, 2) + number(8, 4) + number(2, 2) +                //
         number(271, 2) + number(2, 2) + number(4, 4) + "ABC" + '\0' +        //
         number(274, 2) + number(3, 2) + number(1, 4) +                       //
         number(static_cast<std::uint64_t>(orientation), 2) + number(0, 2) +  //
         number(0, 4);
}

/// Puts a segment after the mark of the beginning.
inline std::string jpeg_with(std::string file, int marker, const std::string& data) {
  return file.insert(
      2, '\xFF' + std::string(1, static_cast<char>(marker)) + big(data.size() + 2, 2) + data);
}

}  // namespace inferbench::media::picture_files
