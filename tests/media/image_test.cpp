#include <sstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <inferbench-media/media.hpp>

#include "picture_files.hpp"

namespace inferbench::media {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

struct expected_image {
  std::string name;
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint64_t hash = 0;
};

std::vector<expected_image> expected_images() {
  std::istringstream text(picture_files::read("expected.txt"));
  std::vector<expected_image> out;
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with('#')) continue;
    expected_image one;
    std::istringstream(line) >> one.name >> one.width >> one.height >> std::hex >> one.hash;
    out.push_back(one);
  }
  EXPECT_GT(out.size(), 50U);
  return out;
}

bool is_checked_to_the_end(const std::string& name) {
  return !name.ends_with(".gif") && !name.ends_with(".tiff");
}

std::string fixture_of_sound_or_video(const std::string& name) {
  return picture_files::read("../" + name);
}

}  // namespace

TEST(decode_image, gives_the_pixels_that_pillow_gives) {
  for (const expected_image& one : expected_images()) {
    const image found = decode_image(picture_files::read(one.name));
    EXPECT_EQ(found.width, one.width) << one.name;
    EXPECT_EQ(found.height, one.height) << one.name;
    EXPECT_EQ(found.rgb.size(), std::size_t{3} * one.width * one.height) << one.name;
    EXPECT_EQ(picture_files::hash(found.rgb), one.hash) << one.name;
  }
}

TEST(decode_image, refuses_files_that_end_early) {
  for (const expected_image& one : expected_images()) {
    const std::string file = picture_files::read(one.name);
    for (std::size_t length = 0; length < file.size(); length += file.size() < 400 ? 1 : 7) {
      const std::string part(file.data(), length);  // a block of its own on the heap
      std::uint64_t hash = 0;
      const std::string why =
          picture_files::failure_of([&] { hash = picture_files::hash(decode_image(part).rgb); });
      if (why.empty()) {
        EXPECT_EQ(hash, one.hash) << one.name << " cut after " << length;
        // The last checksum of a PNG file may be missing: all pixels are there. In GIF and TIFF
        // files other pictures and tables may follow the pixels.
        EXPECT_TRUE(length + 24 > file.size() || !is_checked_to_the_end(one.name))
            << one.name << " cut after " << length;
      }
    }
  }
}

TEST(decode_image, survives_changed_bytes) {
  for (const expected_image& one : expected_images()) {
    const std::string file = picture_files::read(one.name);
    const std::vector<std::uint8_t> changes = picture_files::noise(400, 7);
    for (std::size_t i = 0; i + 4 <= changes.size(); i += 4) {
      std::string damaged = file;
      const std::size_t at = (std::size_t{changes[i]} << 8 | changes[i + 1]) % file.size();
      damaged[at] = static_cast<char>(changes[i + 2]);
      damaged[at / (1 + changes[i + 3] % 8U)] ^= '\x10';
      image found;
      const std::string why =
          picture_files::failure_of([&] { found = decode_image(damaged, orientation::upright); });
      if (why.empty()) {
        EXPECT_EQ(found.rgb.size(), std::size_t{3} * found.width * found.height) << one.name;
      }
    }
  }
}

TEST(decode_image, refuses_random_bytes) {
  using namespace std::string_literals;
  const std::string heads[] = {""s,       "\xFF\xD8\xFF"s, "\x89PNG\r\n\x1A\n"s,
                               "GIF89a"s, "BM"s,           "RIFF\xF0\x03\0\0WEBPVP8X"s,
                               "II*\0"s,  "MM\0*"s,        "P6 3 3 255\n"s};
  for (const std::string& head : heads)
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
      const auto bytes = picture_files::noise(1000, seed);
      const std::string file = head + std::string(bytes.begin(), bytes.end());
      const std::string why = picture_files::failure_to_decode(file);
      if (!head.starts_with('P')) {
        EXPECT_THAT(why, Not(IsEmpty())) << head;
      }
    }
}

TEST(decode_image, refuses_an_empty_file_and_a_text) {
  EXPECT_EQ(picture_files::failure_to_decode(""), "the file is empty");
  EXPECT_THAT(picture_files::failure_to_decode("<!DOCTYPE html><title>404 Not Found</title>"),
              HasSubstr("the image"));
}

TEST(decode_image, refuses_videos_and_sounds) {
  for (const char* name : {"clip_mpeg4.mp4", "clip_h264.mp4", "float_8k.wav", "tone_2s.mp3"})
    EXPECT_EQ(picture_files::failure_to_decode(fixture_of_sound_or_video(name)),
              "the file is a video or a sound, and not an image")
        << name;
}

TEST(decode_image, opens_no_other_file) {
  const std::string picture = std::string(INFERBENCH_FIXTURES) + "/media/test1.png";
  for (const std::string& list :
       {"ffconcat version 1.0\nfile '" + picture + "'\n",
        "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile://" + picture + "\n#EXT-X-ENDLIST\n",
        "v=0\no=- 0 0 IN IP4 127.0.0.1\nm=video 9 RTP/AVP 26\n" + picture})
    EXPECT_THAT(picture_files::failure_to_decode(list), Not(IsEmpty())) << list;
}

TEST(decode_image, refuses_more_pixels_than_pillow_without_memory_for_them) {
  std::string gif = picture_files::read("still.gif");
  gif.replace(6, 4, "\xFF\xFF\xFF\xFF");
  EXPECT_THAT(picture_files::failure_to_decode(gif), Not(IsEmpty()));

  std::string webp = picture_files::read("animated.webp");
  webp.replace(24, 6, "\xFF\xFF\xFF\xFF\xFF\xFF");
  std::string jpeg = picture_files::read("progressive.jpg");
  jpeg.replace(jpeg.find("\xFF\xC2") + 5, 4, "\xFD\xE8\xFD\xE8");
  for (const std::string& file :
       {webp, jpeg, picture_files::png_head(0x7FFFFFFF, 0x7FFFFFFF, 16, 6),
        picture_files::png_head(178'956'971, 1, 8, 0)})
    EXPECT_THAT(picture_files::failure_to_decode(file + picture_files::png_chunk("IDAT", "x")),
                HasSubstr("at most 178956970 are allowed"));
}

TEST(decode_image, does_not_believe_a_head_without_pixels) {
  std::string jpeg = picture_files::read("progressive.jpg");
  jpeg.replace(jpeg.find("\xFF\xC2") + 5, 4, "\x32\xC8\x32\xC8");  // 13,000 x 13,000
  EXPECT_EQ(picture_files::failure_to_decode(jpeg), "the JPEG file ends early");
  for (const int interlaced : {0, 1})
    EXPECT_EQ(
        picture_files::failure_to_decode(picture_files::png_head(13'000, 13'000, 8, 2, interlaced) +
                                         picture_files::png_chunk("IDAT", "x")),
        "the PNG file ends early");
  std::string bmp = picture_files::read("palette.bmp");
  bmp.replace(18, 8, picture_files::little(13'000, 4) + picture_files::little(13'000, 4));
  EXPECT_EQ(picture_files::failure_to_decode(bmp), "the BMP file ends early");
}

TEST(decode_image, works_in_several_threads) {
  const std::vector<expected_image> all = expected_images();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&all] {
      for (const expected_image& one : all)
        EXPECT_EQ(picture_files::hash(decode_image(picture_files::read(one.name)).rgb), one.hash);
    });
  for (std::thread& one : threads)
    one.join();
}

}  // namespace inferbench::media
