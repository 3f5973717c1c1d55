#include "simulator/sound_file.hpp"

#include <string>

#include <gtest/gtest.h>

#include "framework/simulator/sound_form.hpp"

namespace inferbench::simulator {
namespace {

using namespace std::string_literals;

TEST(sound_file, a_wav_file_says_how_long_it_is) {
  EXPECT_EQ(seconds_of_sound(silence(1.5)), 1.5);
  EXPECT_EQ(seconds_of_sound(silence(0)), 0.0);
  std::string streamed = silence(1);
  streamed.replace(40, 4, "\xFF\xFF\xFF\xFF");
  EXPECT_EQ(seconds_of_sound(streamed), 1.0) << "a size that was not known when it was written";
  std::string listed = silence(1);
  listed.insert(36, "LIST\x03\0\0\0abc\0"s);
  EXPECT_EQ(seconds_of_sound(listed), 1.0) << "another chunk before the data, padded";
}

TEST(sound_file, another_format_counts_as_128_kilobits_a_second) {
  for (const std::string& begin : {"fLaC"s, "OggS"s, "ID3"s, "\xFF\xFB\x90\0"s,
                                   "\0\0\0\x20"
                                   "ftypM4A "s,
                                   "\x1A\x45\xDF\xA3"s})
    EXPECT_EQ(seconds_of_sound(begin + std::string(32000 - begin.size(), 'x')), 2.0) << begin;
}

TEST(sound_file, anything_else_is_not_a_sound) {
  std::string no_format = silence(1);
  no_format.replace(12, 4, "junk");
  std::string no_rate = silence(1);
  no_rate.replace(28, 4, "\0\0\0\0"s);
  std::string endless_chunk = silence(1);
  endless_chunk.replace(16, 4, "\xFF\xFF\xFF\x7F"s);
  for (const std::string& file :
       {""s, "RIFF"s, "RIFF\0\0\0\0WAVE"s, "RIFF\0\0\0\0AVI "s, "sound"s, "<html>"s,
        "\xFF\xF1\0\0"s, silence(1).substr(0, 40), no_format, no_rate, endless_chunk})
    EXPECT_FALSE(seconds_of_sound(file)) << file.substr(0, 50);
}

}  // namespace
}  // namespace inferbench::simulator
