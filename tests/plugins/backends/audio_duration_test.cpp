// Tests the durations of sounds, which inferbench-media finds. tests/media/sound_test.cpp tests the
// formats.
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "plugins/backends/codec_box.hpp"

namespace backends {
namespace {

using namespace std::string_literals;
using namespace std::string_view_literals;

/// The attribute input_audio_duration of a request with this file, or "none".
std::string duration_of(std::string_view file, const char* mime = nullptr) {
  // A copy of the exact size, so that a sanitizer detects a read past the end.
  const std::vector<char> copy(file.begin(), file.end());
  ifb_part part = ifb::text_part({copy.data(), copy.size()});
  part.kind = IFB_PART_AUDIO;
  part.mime = mime;
  ifb_sample sample = ifb::blank_sample();
  sample.media = ifb::list_of({&part, 1});
  static codec_box box("openai-audio", {});
  EXPECT_EQ(box.open(sample), IFB_OK) << box.error.message;
  transcript heard;
  box.message(heard, R"({"choices":[{"delta":{"content":"a"}}]})");
  box.end(heard);
  constexpr std::string_view head = "attribute input_audio_duration \"";
  for (const auto& line : heard.lines) {
    if (line.starts_with(head)) return line.substr(head.size(), line.size() - head.size() - 1);
  }
  return "none";
}

std::string media_file(const std::string& name) {
  std::ifstream file(std::string(INFERBENCH_FIXTURES) + "/media/" + name, std::ios::binary);
  EXPECT_TRUE(file.is_open()) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string wav(std::string_view size_said, std::size_t bytes) {
  return "RIFF\0\0\0\0WAVEJUNK\x04\0\0\0abcdfmt \x10\0\0\0\x01\0\x01\0\x40\x1F\0\0\x80\x3E\0\0\x02\0\x10\0data"s +
         std::string(size_said) + std::string(bytes, 'x');
}

TEST(audio_duration, of_a_wav_file_is_its_data_by_its_rate) {
  EXPECT_EQ(duration_of(wav("\x80\x3E\0\0"sv, 16'000)), "1.0");
  EXPECT_EQ(duration_of(wav("\x80\x3E\0\0"sv, 16'500)), "1.0");
}

TEST(audio_duration, of_a_wav_file_of_unknown_size_is_computed_from_its_data) {
  EXPECT_EQ(duration_of(wav("\xFF\xFF\xFF\xFF"sv, 24'000)), "1.5");
}

TEST(audio_duration, of_compressed_files_is_the_length_of_the_sound) {
  EXPECT_EQ(duration_of(media_file("tone_2s.flac")), "2.0");
  EXPECT_EQ(duration_of(media_file("tone_2s.mp3")), "2.0");
  EXPECT_EQ(duration_of(media_file("tone.ogg")), "0.5");
  EXPECT_EQ(duration_of(media_file("tone.m4a")), "0.4");
  EXPECT_EQ(duration_of(media_file("tone.webm")), "0.5");
}

TEST(audio_duration, of_raw_samples_is_their_number_by_their_rate) {
  EXPECT_EQ(duration_of(std::string(24'000, '\0'), "audio/pcm;rate=8000"), "1.5");
}

TEST(audio_duration, of_other_files_is_unknown) {
  for (const auto file :
       {"RIFF"sv, "RIFF\0\0\0\0WAVE"sv, "fLaC"sv, "OggS"sv, "ID3"sv, "\xFF\xFB"sv, "x"sv,
        "\0\0\0\x20"
        "ftypM4A "sv,
        "RIFF\0\0\0\0AVI LIST"sv, "a text"sv})
    EXPECT_EQ(duration_of(file), "none") << file;
  EXPECT_EQ(duration_of(media_file("photo1.jpg")), "none");
}

TEST(audio_duration, of_files_cut_or_changed_anywhere_does_no_harm) {
  std::mt19937 random(1);
  for (const std::string& whole :
       {wav("\x80\x3E\0\0"sv, 40), media_file("tone.m4a"), media_file("tone_2s.flac")}) {
    for (std::size_t size = 1; size < whole.size(); size += 1 + whole.size() / 100)
      duration_of(whole.substr(0, size));
    for (int i = 0; i < 100; ++i) {
      std::string changed = whole;
      for (int k = 0; k < 3; ++k)
        changed[random() % changed.size()] = static_cast<char>(random());
      duration_of(changed);
    }
  }
}

}  // namespace
}  // namespace backends
