// Tests of the check of media files: what whole files are, and that damaged files are found.
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <inferbench-media/media.hpp>

#include "media/sound_files.hpp"

namespace inferbench::media {
namespace {

using namespace std::string_literals;
using sound_files::fixture_file;

facts facts_in(const std::string& name, kind expected) {
  return inspect(fixture_file(name), expected);
}

void expect_picture(const facts& found, std::string_view format, std::uint32_t width,
                    std::uint32_t height, std::uint64_t frames, double seconds) {
  EXPECT_EQ(found.format, format);
  EXPECT_EQ(found.width, width);
  EXPECT_EQ(found.height, height);
  EXPECT_EQ(found.frames, frames);
  EXPECT_NEAR(found.seconds, seconds, 1e-9);
}

void expect_sound(const facts& found, std::string_view format, std::uint32_t rate,
                  std::uint32_t channels, std::uint64_t frames) {
  EXPECT_EQ(found.format, format);
  EXPECT_EQ(found.rate, rate);
  EXPECT_EQ(found.channels, channels);
  EXPECT_EQ(found.frames, frames);
  EXPECT_NEAR(found.seconds, static_cast<double>(frames) / rate, 1e-9);
}

TEST(inspection, tells_the_size_of_an_image) {
  expect_picture(facts_in("photo1.jpg", kind::image), "image/jpeg", 96, 64, 1, 0);
  expect_picture(facts_in("test1.png", kind::image), "image/png", 96, 64, 1, 0);
  expect_picture(facts_in("small.webp", kind::image), "image/webp", 64, 64, 1, 0);
  expect_picture(facts_in("images/animated.gif", kind::image), "image/gif", 45, 31, 1, 0);
  expect_picture(facts_in("images/animated.webp", kind::image), "image/webp", 45, 31, 1, 0);
  expect_picture(facts_in("images/palette.bmp", kind::image), "image/bmp", 45, 31, 1, 0);
  expect_picture(facts_in("images/turned.tiff", kind::image), "image/tiff", 45, 31, 1, 0);
}

TEST(inspection, counts_the_frames_of_a_video) {
  expect_picture(facts_in("clip_h264.mp4", kind::video), "video/mp4", 64, 48, 8, 1);
  expect_picture(facts_in("clip_mpeg4.mp4", kind::video), "video/mp4", 64, 48, 8, 2);
  expect_picture(facts_in("talk.mp4", kind::video), "video/mp4", 66, 50, 8, 0.8);
  expect_picture(facts_in("clip.webm", kind::video), "video/webm", 64, 48, 5, 0.5);
}

TEST(inspection, counts_the_samples_of_a_sound) {
  expect_sound(facts_in("float_8k.wav", kind::sound), "audio/wav", 8000, 1, 2400);
  expect_sound(facts_in("tone_2s.flac", kind::sound), "audio/flac", 16'000, 1, 32'000);
  expect_sound(facts_in("tone_2s.mp3", kind::sound), "audio/mpeg", 16'000, 1, 32'000);
  expect_sound(facts_in("tone.ogg", kind::sound), "audio/ogg", 16'000, 1, 8000);
  expect_sound(facts_in("tone.m4a", kind::sound), "audio/mp4", 44'100, 2, 17'640);
  expect_sound(facts_in("tone.webm", kind::sound), "audio/webm", 48'000, 1, 24'000);
}

TEST(inspection, accepts_what_inferbench_encodes) {
  const std::vector<std::uint8_t> grey(40 * 30 * 3, 100);
  const image_view pixels(40, 30, grey);
  expect_picture(inspect(encode_jpeg(pixels), kind::image), "image/jpeg", 40, 30, 1, 0);
  expect_picture(inspect(encode_png(pixels), kind::image), "image/png", 40, 30, 1, 0);
  const std::vector<double> samples(300, 0.25);
  expect_sound(inspect(encode_wav(8000, 3, samples).file, kind::sound), "audio/wav", 8000, 3, 100);
}

TEST(inspection, accepts_the_sound_of_a_video) {
  expect_sound(facts_in("talk.mp4", kind::sound), "video/mp4", 16'000, 1, 12'800);
}

TEST(inspection, accepts_a_wav_file_that_was_written_to_a_pipe) {
  std::string streamed = fixture_file("float_8k.wav");
  streamed.replace(4, 4, "\xFF\xFF\xFF\xFF");
  streamed.replace(streamed.find("data") + 4, 4, "\xFF\xFF\xFF\xFF");
  expect_sound(inspect(streamed, kind::sound), "audio/wav", 8000, 1, 2400);
}

std::string problem_of(std::string_view file, kind expected) {
  return sound_files::problem([&] { static_cast<void>(inspect(file, expected)); });
}

TEST(inspection, refuses_a_file_of_another_kind) {
  EXPECT_EQ(problem_of(fixture_file("photo1.jpg"), kind::video),
            "the file is an image (image/jpeg), and not a video");
  EXPECT_EQ(problem_of(fixture_file("clip_h264.mp4"), kind::image),
            "the file is a video (video/mp4), and not an image");
  EXPECT_EQ(problem_of(fixture_file("clip_h264.mp4"), kind::sound),
            "the file is a video (video/mp4), and not a sound");
  EXPECT_EQ(problem_of(fixture_file("tone_2s.flac"), kind::image),
            "the file is a sound (audio/flac), and not an image");
}

TEST(inspection, refuses_other_files) {
  EXPECT_EQ(problem_of("", kind::image), "the file is empty");
  EXPECT_NE(problem_of("a text", kind::image), "none");
  EXPECT_NE(problem_of(std::string(5000, '\0'), kind::sound), "none");
}

TEST(inspection, opens_no_other_file) {
  const std::string target = std::string(INFERBENCH_FIXTURES) + "/media/clip_h264.mp4";
  const std::array<std::string, 5> lists = {
      "ffconcat version 1.0\nfile '" + target + "'\n",
      "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile://" + target + "\n#EXT-X-ENDLIST\n",
      "<?xml version=\"1.0\"?><svg xmlns=\"http://www.w3.org/2000/svg\"><image href=\"file://" +
          target + "\"/></svg>",
      "<?xml version=\"1.0\"?><MPD "
      "xmlns=\"urn:mpeg:dash:schema:mpd:2011\"><Period><BaseURL>file://" +
          target + "</BaseURL></Period></MPD>",
      "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=x\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=video 5004 "
      "RTP/AVP 96\r\n"};
  for (const std::string& list : lists)
    for (const kind expected : {kind::image, kind::video, kind::sound})
      EXPECT_NE(problem_of(list, expected), "none") << list;
}

// ---- damaged files -----------------------------------------------------------------------------

struct whole_file {
  const char* name;
  kind what;
};

constexpr std::array<whole_file, 15> whole_files{{{"photo1.jpg", kind::image},
                                                  {"test1.png", kind::image},
                                                  {"small.webp", kind::image},
                                                  {"images/animated.webp", kind::image},
                                                  {"images/animated.gif", kind::image},
                                                  {"images/progressive.jpg", kind::image},
                                                  {"clip_h264.mp4", kind::video},
                                                  {"clip_mpeg4.mp4", kind::video},
                                                  {"talk.mp4", kind::video},
                                                  {"clip.webm", kind::video},
                                                  {"float_8k.wav", kind::sound},
                                                  {"tone_2s.flac", kind::sound},
                                                  {"tone.ogg", kind::sound},
                                                  {"tone.m4a", kind::sound},
                                                  {"tone.webm", kind::sound}}};

TEST(inspection, finds_that_a_file_was_cut_anywhere) {
  for (const auto& [name, what] : whole_files) {
    const std::string whole = fixture_file(name);
    for (std::size_t size = 1; size < whole.size(); size += 1 + whole.size() / 150)
      EXPECT_FALSE(sound_files::accepts(whole.substr(0, size),
                                        [&](auto file) { static_cast<void>(inspect(file, what)); }))
          << name << " cut at " << size;
    EXPECT_FALSE(sound_files::accepts(whole.substr(0, whole.size() - 1), [&](auto file) {
      static_cast<void>(inspect(file, what));
    })) << name;
  }
}

TEST(inspection, finds_that_the_head_of_an_mp3_file_counts_more_frames) {
  const std::string whole = fixture_file("tone_2s.mp3");
  for (std::size_t size = 1; size < whole.size() - 200; size += 97)
    EXPECT_FALSE(sound_files::accepts(whole.substr(0, size), [](auto file) {
      static_cast<void>(inspect(file, kind::sound));
    })) << size;
}

TEST(inspection, finds_damage_that_a_checksum_protects_from) {
  for (const auto& [name, what] :
       {whole_file{"test1.png", kind::image}, whole_file{"tone_2s.flac", kind::sound}}) {
    std::string damaged = fixture_file(name);
    damaged[damaged.size() * 2 / 3] ^= 0x20;
    EXPECT_NE(problem_of(damaged, what), "none") << name;
  }
}

TEST(inspection, of_damaged_files_does_no_harm) {
  for (const auto& [name, what] : whole_files) {
    SCOPED_TRACE(name);
    sound_files::damage(fixture_file(name), 100,
                        [&](auto file) { static_cast<void>(inspect(file, what)); });
  }
}

TEST(inspection, refuses_images_of_too_many_pixels) {
  // A PNG file that claims 60,000 x 60,000 pixels, with the right checksum.
  std::string huge = fixture_file("test1.png");
  huge.replace(16, 8, "\0\0\xEA\x60\0\0\xEA\x60"s);
  std::uint32_t sum = 0xFFFFFFFF;
  for (std::size_t at = 12; at < 29; ++at) {
    sum ^= static_cast<unsigned char>(huge[at]);
    for (int bit = 0; bit < 8; ++bit)
      sum = sum >> 1U ^ ((sum & 1U) != 0 ? 0xEDB88320U : 0);
  }
  sum = ~sum;
  for (std::size_t i = 0; i < 4; ++i)
    huge[29 + i] = static_cast<char>(sum >> 8 * (3 - i) & 0xFF);
  EXPECT_NE(problem_of(huge, kind::image), "none");
}

}  // namespace
}  // namespace inferbench::media
