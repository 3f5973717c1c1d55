// Tests the durations of sounds, computed from the headers of audio files.
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
std::string duration_of(std::string_view file) {
  // A copy of the exact size, so that a sanitizer detects a read past the end.
  const std::vector<char> copy(file.begin(), file.end());
  ifb_part part = ifb::text_part({copy.data(), copy.size()});
  part.kind = IFB_PART_AUDIO;
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

std::string wav(std::string_view size_said, std::size_t bytes) {
  return "RIFF\0\0\0\0WAVEJUNK\x03\0\0\0abc\0fmt \x10\0\0\0\x01\0\x01\0\x40\x1F\0\0\x80\x3E\0\0\x02\0\x10\0data"s +
         std::string(size_said) + std::string(bytes, 'x');
}

std::string ogg_page(std::uint64_t granule, std::string_view packet) {
  std::string out = "OggS\0\0"s;
  for (unsigned i = 0; i < 8; ++i)
    out += static_cast<char>(granule >> 8 * i & 0xFF);
  out += std::string(12, '\0') + '\x01';
  return out + static_cast<char>(packet.size()) + std::string(packet);
}

const std::string flac_head("fLaC\0\0\0\x22\x10\0\x10\0\0\0\0\0\0\0\x0A\xC4\x42\xF0\0\x01\x58\x88",
                            26);

TEST(audio_duration, of_a_wav_file_is_its_data_by_its_rate) {
  EXPECT_EQ(duration_of(wav("\x80\x3E\0\0"sv, 16'000)), "1.0");
  EXPECT_EQ(duration_of(wav("\x80\x3E\0\0"sv, 16'500)), "1.0");
}

TEST(audio_duration, of_a_wav_file_of_unknown_size_is_computed_from_its_data) {
  EXPECT_EQ(duration_of(wav("\xFF\xFF\xFF\xFF"sv, 24'000)), "1.5");
}

TEST(audio_duration, of_flac_is_in_its_stream_info) {
  EXPECT_EQ(duration_of(flac_head + std::string(100, 'x')), "2.0");
}

TEST(audio_duration, of_ogg_is_where_its_last_page_ends) {
  const std::string vorbis("\x01vorbis\0\0\0\0\x01\x80\x3E\0\0", 16);
  EXPECT_EQ(duration_of(ogg_page(0, vorbis) + ogg_page(8'000, "x") + ogg_page(40'000, "x") +
                        ogg_page(~std::uint64_t{0}, "x")),
            "2.5");
  const std::string opus("OpusHead\x01\x01\x38\x01\x80\xBB\0\0", 16);
  EXPECT_EQ(duration_of(ogg_page(0, opus) + ogg_page(48'312, "x")), "1.0");
  EXPECT_EQ(duration_of(ogg_page(0, opus) + ogg_page(100, "x")), "none");
  EXPECT_EQ(duration_of(ogg_page(0,
                                 "\x7F"
                                 "FLAC\x01\0\0\x01"s +
                                     flac_head) +
                        ogg_page(88'200, "x")),
            "2.0");
}

TEST(audio_duration, of_mp3_is_its_size_by_its_bit_rate_or_its_count_of_frames) {
  // MPEG 1, layer III, 128 kbit/s, 44.1 kHz, stereo; after a tag of 300 bytes.
  const std::string tag = "ID3\x04\0\0\0\0\x02\x2C"s + std::string(300, 't');
  const std::string frame = "\xFF\xFB\x90\0"s;
  EXPECT_EQ(duration_of(tag + frame + std::string(31'996, '\0')), "2.0");
  // 100 frames of 1152 samples; the size of the file does not matter.
  const std::string counted =
      frame + std::string(32, '\0') + "Xing\0\0\0\x01\0\0\0\x64"s + std::string(500, '\0');
  EXPECT_EQ(duration_of(counted), "2.6122448979591835");
  // MPEG 2, 8 kbit/s.
  EXPECT_EQ(duration_of("\xFF\xF3\x10\xC0"s + std::string(996, '\0')), "1.0");
}

TEST(audio_duration, of_other_formats_is_unknown) {
  for (const auto file :
       {"RIFF"sv, "RIFF\0\0\0\0WAVE"sv, "fLaC"sv, "OggS"sv, "ID3"sv, "\xFF\xFB"sv, "x"sv,
        "\0\0\0\x20"
        "ftypM4A "sv,
        "RIFF\0\0\0\0AVI LIST"sv})
    EXPECT_EQ(duration_of(file), "none") << file;
}

TEST(audio_duration, of_heads_cut_or_changed_anywhere_does_no_harm) {
  std::mt19937 random(1);
  const std::string vorbis("\x01vorbis\0\0\0\0\x01\x80\x3E\0\0", 16);
  for (const std::string& whole :
       {wav("\x80\x3E\0\0"sv, 40), flac_head, ogg_page(0, vorbis) + ogg_page(8, "x"),
        "\xFF\xFB\x90\0"s + std::string(32, '\0') + "Xing\0\0\0\x01\0\0\0\x64"s}) {
    for (std::size_t size = 1; size < whole.size(); ++size)
      duration_of(whole.substr(0, size));
    for (int i = 0; i < 500; ++i) {
      std::string changed = whole;
      for (int k = 0; k < 3; ++k)
        changed[random() % changed.size()] = static_cast<char>(random());
      duration_of(changed);
    }
  }
}

}  // namespace
}  // namespace backends
