// Tests of sounds: their lengths, and their conversion to WAV. The expected WAV files were made by
// the Python package soundfile 0.12.1 with libsndfile 1.2.0.
#include <array>
#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <inferbench-media/media.hpp>

#include "media/sound_files.hpp"

namespace inferbench::media {
namespace {

using namespace std::string_literals;
using sound_files::fixture_file;

sound_facts facts_of(const std::string& name) { return inspect_sound(fixture_file(name)); }

std::uint64_t fnv(std::string_view bytes) {
  std::uint64_t out = 14695981039346656037U;
  for (const char byte : bytes)
    out = (out ^ static_cast<unsigned char>(byte)) * 1099511628211U;
  return out;
}

void expect_facts(const sound_facts& found, std::uint32_t rate, std::uint32_t channels,
                  std::uint64_t frames) {
  EXPECT_EQ(found.rate, rate);
  EXPECT_EQ(found.channels, channels);
  EXPECT_EQ(found.frames, frames);
}

TEST(sound, has_the_length_that_its_head_tells) {
  expect_facts(facts_of("float_8k.wav"), 8000, 1, 2400);
  expect_facts(facts_of("tone_2s.flac"), 16'000, 1, 32'000);
  expect_facts(facts_of("tone_2s.mp3"), 16'000, 1, 32'000);
  expect_facts(facts_of("tone.ogg"), 16'000, 1, 8000);
  EXPECT_EQ(facts_of("tone.ogg").seconds(), 0.5);
}

TEST(sound, of_a_format_without_libsndfile_has_the_length_that_is_played) {
  // The encoder adds silence at the beginning and at the end, which players leave out.
  expect_facts(facts_of("tone.m4a"), 44'100, 2, 17'640);
  expect_facts(facts_of("tone.webm"), 48'000, 1, 24'000);
}

TEST(sound, of_a_video_has_a_length) { expect_facts(facts_of("talk.mp4"), 16'000, 1, 12'800); }

TEST(sound, of_unknown_size_has_the_length_of_its_data) {
  std::string streamed = fixture_file("float_8k.wav");
  streamed.replace(4, 4, "\xFF\xFF\xFF\xFF");
  streamed.replace(streamed.find("data") + 4, 4, "\xFF\xFF\xFF\xFF");
  expect_facts(inspect_sound(streamed), 8000, 1, 2400);
}

// The answers of inspect_sound() and to_wav() about the file.
std::string trouble_with(const std::string& file) {
  const std::string by_inspection =
      sound_files::problem([&] { static_cast<void>(inspect_sound(file)); });
  EXPECT_EQ(sound_files::problem([&] { static_cast<void>(to_wav(file, precision::float32)); }),
            by_inspection);
  return by_inspection;
}

TEST(sound, that_was_cut_is_refused_and_is_no_shorter_sound) {
  const std::string wav = fixture_file("float_8k.wav");
  for (const std::size_t kept : {wav.size() / 2, wav.size() - 1})
    EXPECT_EQ(trouble_with(wav.substr(0, kept)), "the WAV file ends early");
  const std::string mp3 = fixture_file("tone_2s.mp3");
  for (const std::size_t kept : {mp3.size() / 2, mp3.size() - 1})
    EXPECT_EQ(trouble_with(mp3.substr(0, kept)), "the MP3 file ends early");
}

TEST(sound, with_other_bytes_after_it_is_whole) {
  const std::string mp3 = fixture_file("tone_2s.mp3");
  expect_facts(inspect_sound(mp3 + "TAG" + std::string(125, ' ')), 16'000, 1, 32'000);
  expect_facts(inspect_sound(fixture_file("float_8k.wav") + "LIST\x04\0\0\0abcd"s), 8000, 1, 2400);
}

TEST(sound, without_samples_or_without_a_known_format_is_refused) {
  EXPECT_EQ(sound_files::problem([] { static_cast<void>(inspect_sound("")); }),
            "the file is empty");
  EXPECT_EQ(sound_files::problem([] { static_cast<void>(inspect_sound(sound_files::wav_of({}))); }),
            "the sound has no samples");
  EXPECT_THROW(static_cast<void>(inspect_sound("a text, and not a sound")), failure);
  EXPECT_THROW(static_cast<void>(to_wav(sound_files::wav_of({}), precision::float32)), failure);
  EXPECT_EQ(
      sound_files::problem([] { static_cast<void>(inspect_sound(fixture_file("clip_h264.mp4"))); }),
      "the file has no sound");
}

TEST(wav_file, is_the_file_that_soundfile_writes) {
  for (const precision between : {precision::float32, precision::float64}) {
    const wav_file flac = to_wav(fixture_file("tone_2s.flac"), between);
    EXPECT_EQ(flac.file.size(), 64'044U);
    EXPECT_EQ(fnv(flac.file), 1183217838029282861U);
    expect_facts(flac.facts, 16'000, 1, 32'000);
    const wav_file wav = to_wav(fixture_file("float_8k.wav"), between);
    EXPECT_EQ(wav.file.size(), 4844U);
    EXPECT_EQ(fnv(wav.file), 17890903724570638239U);
    expect_facts(wav.facts, 8000, 1, 2400);
  }
}

TEST(wav_file, has_the_integers_of_libsndfile) {
  const std::vector<double> samples = {0,    0.5,  -0.5,  1,           -1,           1.5,
                                       -1.5, 2e-5, -2e-5, 1.0 / 32768, -1.0 / 32768, 0.25};
  const std::vector<int> expected = {0,      16384, -16384, 32767, -32768, 32767,
                                     -32768, 0,     -1,     1,     -1,     8192};
  const std::string file = sound_files::wav_of(samples);
  EXPECT_EQ(sound_files::integers(to_wav(file, precision::float32).file), expected);
  EXPECT_EQ(sound_files::integers(to_wav(file, precision::float64).file), expected);
  const wav_file encoded = encode_wav(8000, 1, samples);
  EXPECT_EQ(sound_files::integers(encoded.file), expected);
  EXPECT_EQ(encoded.file, to_wav(file, precision::float64).file);
}

TEST(wav_file, depends_on_the_precision_between_decoder_and_encoder) {
  const std::string file = sound_files::wav_of({0.5 - 0x1p-31});
  EXPECT_EQ(sound_files::integers(to_wav(file, precision::float32).file), std::vector{16384});
  EXPECT_EQ(sound_files::integers(to_wav(file, precision::float64).file), std::vector{16383});
}

TEST(wav_file, keeps_rate_and_channels) {
  const std::vector<double> samples = {0.1, -0.1, 0.2, -0.2, 0.3, -0.3};
  const wav_file three = encode_wav(22'050, 3, samples);
  expect_facts(three.facts, 22'050, 3, 2);
  expect_facts(inspect_sound(three.file), 22'050, 3, 2);
  expect_facts(to_wav(three.file, precision::float32).facts, 22'050, 3, 2);
}

TEST(wav_file, of_other_formats_has_all_samples_that_are_played) {
  const auto loudest = [](const wav_file& of) {
    int out = 0;
    for (const int sample : sound_files::integers(of.file))
      out = std::max(out, std::abs(sample));
    return out;
  };
  const wav_file m4a = to_wav(fixture_file("tone.m4a"), precision::float32);
  expect_facts(m4a.facts, 44'100, 2, 17'640);
  EXPECT_EQ(m4a.file.size(), 44 + 17'640U * 4);
  EXPECT_GT(loudest(m4a), 1000);
  const wav_file opus = to_wav(fixture_file("tone.webm"), precision::float32);
  expect_facts(opus.facts, 48'000, 1, 24'000);
  EXPECT_GT(loudest(opus), 1000);
  const wav_file mp3 = to_wav(fixture_file("tone_2s.mp3"), precision::float64);
  expect_facts(mp3.facts, 16'000, 1, 32'000);
  EXPECT_GT(loudest(mp3), 1000);
}

TEST(wav_file, is_not_made_of_impossible_rates_and_channels) {
  const std::vector<double> samples(4);
  EXPECT_THROW(static_cast<void>(encode_wav(0, 1, samples)), failure);
  EXPECT_THROW(static_cast<void>(encode_wav(8000, 0, samples)), failure);
  EXPECT_THROW(static_cast<void>(encode_wav(0xFFFFFFFF, 1, samples)), failure);
  EXPECT_THROW(static_cast<void>(encode_wav(8000, 70'000, samples)), failure);
  EXPECT_THROW(static_cast<void>(encode_wav(8000, 1, {})), failure);
}

TEST(sound, is_the_same_on_many_threads) {
  const std::array<std::string, 4> files = {fixture_file("tone.m4a"), fixture_file("tone_2s.flac"),
                                            fixture_file("tone.ogg"), "RIFF????WAVE"s};
  const auto convert = [](const std::string& file) {
    try {
      return to_wav(file, precision::float32).file;
    } catch (const failure& e) {
      return std::string(e.what());
    }
  };
  std::vector<std::string> expected;
  for (const std::string& file : files)
    expected.push_back(convert(file));
  std::array<bool, 4> same{};
  std::vector<std::thread> threads;
  for (bool& one : same)
    threads.emplace_back([&] {
      one = true;
      for (int i = 0; i < 10; ++i)
        for (std::size_t k = 0; k < files.size(); ++k)
          one = one && convert(files[k]) == expected[k];
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_THAT(same, testing::Each(true));
}

// ---- hostile files -----------------------------------------------------------------------------

void read_sound(std::string_view file) {
  static_cast<void>(inspect_sound(file));
  static_cast<void>(to_wav(file, precision::float32));
}

// libvorbis leaks memory for some damaged files, so inspect_test.cpp damages Ogg files.
TEST(sound, cut_or_changed_anywhere_does_no_harm) {
  for (const char* const name :
       {"float_8k.wav", "tone_2s.flac", "tone_2s.mp3", "tone.m4a", "tone.webm", "talk.mp4"}) {
    SCOPED_TRACE(name);
    const std::string whole = fixture_file(name);
    for (std::size_t size = 1; size < whole.size(); size += 1 + whole.size() / 100)
      sound_files::accepts(whole.substr(0, size), read_sound);
    sound_files::damage(whole, 100, read_sound);
  }
}

TEST(sound, that_announces_billions_of_samples_is_refused_without_memory_for_them) {
  std::string file = fixture_file("tone.m4a");
  const auto sizes = file.find("stsz");
  file.replace(sizes + 8, 8, "\0\0\0\x01\x02\0\0\0"s);
  EXPECT_EQ(sound_files::problem([&] { static_cast<void>(inspect_sound(file)); }),
            "the file announces more samples than it has bytes");
}

TEST(sound, that_becomes_a_huge_file_is_refused_before_it_is_decoded) {
  // The head of FLAC: 8 channels, 16 kHz, 16 bits, 2^36 - 1 frames.
  std::string file = "fLaC\x80\0\0\x22"s + "\x10\0\x10\0"s + std::string(6, '\0') +
                     "\x03\xE8\x0E\xFF\xFF\xFF\xFF\xFF"s + std::string(16, '\0');
  // A frame of 192 zeros in each channel follows; its checksums are not right.
  file += "\xFF\xF8\x10\x78\0\0"s + std::string(26, '\0');
  EXPECT_EQ(sound_files::problem([&] { static_cast<void>(to_wav(file, precision::float32)); }),
            "the sound is too long: its WAV file has more than 512 MiB");
}

}  // namespace
}  // namespace inferbench::media
