// Compares multipart forms byte by byte: the cases are tests/fixtures/backends/audio_bodies.json
// and audio_refusals.json. The tests' host gives a fixed boundary.
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "plugins/backends/codec_box.hpp"
#include "plugins/backends/options_of.hpp"
#include "plugins/backends/sample_of.hpp"
#include "support/temporary_folder.hpp"

namespace backends {
namespace {

class folder : public inferbench::support::temporary_folder {
 public:
  folder() {
    write("voice.opus", "OggS, more or less");
    write("empty.wav", "");
  }
};

TEST(audio_body, is_equal_to_the_fixtures_byte_by_byte) {
  const folder files;
  const auto cases = fixture("audio_bodies.json");
  ASSERT_GT(cases.Size(), 5U);
  for (const auto& c : cases.GetArray()) {
    SCOPED_TRACE(c["name"].GetString());
    codec_box box("openai-audio", options_of(c));
    const sample_of made(c["sample"], files.path());
    ASSERT_EQ(box.open(made.sample), IFB_OK) << box.error.message;
    std::string expected;
    for (const auto& line : c["lines"].GetArray())
      expected +=
          (expected.empty() ? "" : "\r\n") + std::string(line.GetString(), line.GetStringLength());
    EXPECT_EQ(box.body(), expected);
  }
}

TEST(audio_body, is_refused_for_samples_without_a_sound_to_send) {
  const folder files;
  const auto cases = fixture("audio_refusals.json");
  ASSERT_GT(cases.Size(), 5U);
  for (const auto& c : cases.GetArray()) {
    SCOPED_TRACE(to_text(c));
    codec_box box("openai-audio", {});
    const sample_of made(c["sample"], files.path());
    EXPECT_EQ(box.open(made.sample), c["code"].GetInt());
    EXPECT_THAT(box.error.message, testing::HasSubstr(c["message"].GetString()));
  }
}

TEST(audio_body, of_a_pipe_is_refused_without_waiting_for_a_writer) {
  const folder files;
  const std::string pipe = files.path("pipe.wav");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  rapidjson::Document sample;
  sample.Parse((R"({"shape": "text", "prompt": [""], "media": [{"kind": "audio", "uri": "file://)" +
                pipe + R"("}]})")
                   .c_str());
  codec_box box("openai-audio", {});
  const sample_of made(sample);
  EXPECT_EQ(box.open(made.sample), IFB_E_IO);
  EXPECT_THAT(box.error.message, testing::HasSubstr("cannot read the sound " + pipe));
}

TEST(audio_body, of_a_huge_file_is_refused_unread) {
  const folder files;
  const std::string file = files.write("huge.wav", "");
  std::filesystem::resize_file(file, std::uintmax_t{3} << 30U);  // without data on the disk
  rapidjson::Document sample;
  sample.Parse((R"({"shape": "text", "prompt": [""], "media": [{"kind": "audio", "uri": "file://)" +
                file + R"("}]})")
                   .c_str());
  codec_box box("openai-audio", {});
  const sample_of made(sample);
  EXPECT_EQ(box.open(made.sample), IFB_E_DATA);
  EXPECT_THAT(box.error.message,
              testing::HasSubstr("has 3072 MiB, and a request sends at most 512 MiB"));
}

TEST(audio_body, goes_by_post_as_a_form) {
  codec_box box("openai-audio", {{"endpoint", "/v1/audio/translations"}});
  box.open_any();
  EXPECT_THAT(box.body(), testing::StartsWith("--inferbench-"));
  EXPECT_EQ(ifb::view(box.last.method), "POST");
  EXPECT_EQ(ifb::view(box.last.target), "/v1/audio/translations");
  ASSERT_EQ(box.last.header_count, 1U);
  EXPECT_EQ(ifb::view(box.last.headers[0].name), "Content-Type");
  EXPECT_EQ(ifb::view(box.last.headers[0].value),
            "multipart/form-data; boundary=inferbench-000000626f756e640000000000617279");
}

TEST(audio_body, points_to_a_long_sound_instead_of_copying_it) {
  const std::string bytes(100'000, 's');
  ifb_part part = ifb::text_part(bytes);
  part.kind = IFB_PART_AUDIO;
  ifb_sample sample = ifb::blank_sample();
  sample.media = ifb::list_of({&part, 1});
  codec_box box("openai-audio", {});
  ASSERT_EQ(box.open(sample), IFB_OK);
  box.body();
  bool referred = false;
  for (std::size_t i = 0; i < box.last.body_count; ++i)
    referred |= box.last.body[i].data == bytes.data();
  EXPECT_TRUE(referred);
}

/// The audio file in a request with this sound.
std::string file_of(std::string_view samples, const char* mime) {
  ifb_part part = ifb::text_part(samples);
  part.kind = IFB_PART_AUDIO;
  part.mime = mime;
  ifb_sample sample = ifb::blank_sample();
  sample.media = ifb::list_of({&part, 1});
  codec_box box("openai-audio", {});
  EXPECT_EQ(box.open(sample), IFB_OK) << box.error.message;
  const std::string body = box.body();
  EXPECT_THAT(body, testing::HasSubstr("filename=\"audio.wav\"\r\nContent-Type: audio/wav\r\n"));
  const auto begin = body.find("\r\n\r\n") + 4;
  return body.substr(begin, body.find("\r\n--inferbench", begin) - begin);
}

using namespace std::string_view_literals;

TEST(audio_body, of_raw_samples_has_them_in_a_wav_file) {
  EXPECT_EQ(file_of("\x01\x02\x03\x04\x05\x06"sv, "audio/pcm; rate=16000"),
            "RIFF\x2A\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x80\x3E\0\0\0\x7D\0\0\x02\0\x10\0data"
            "\x06\0\0\0\x01\x02\x03\x04\x05\x06"sv);
  // A frame of two channels has four bytes, so the last two bytes are not a frame.
  EXPECT_EQ(file_of("\x01\x02\x03\x04\x05\x06"sv, "audio/pcm;rate=44100;channels=2;format=s16"),
            "RIFF\x28\0\0\0WAVEfmt \x10\0\0\0\x01\0\x02\0\x44\xAC\0\0\x10\xB1\x02\0\x04\0\x10\0"
            "data\x04\0\0\0\x01\x02\x03\x04"sv);
}

TEST(audio_body, of_floats_has_them_as_libsndfile_makes_16_bits_of_them) {
  const auto samples_of = [](std::vector<float> floats) {
    const std::string file =
        file_of({reinterpret_cast<const char*>(floats.data()), floats.size() * 4},
                "audio/pcm;rate=16000;format=f32");
    std::vector<int> out;
    for (std::size_t at = 44; at + 1 < file.size(); at += 2)
      out.push_back(static_cast<std::int16_t>(static_cast<unsigned char>(file[at]) |
                                              static_cast<unsigned char>(file[at + 1]) << 8));
    return out;
  };
  EXPECT_THAT(samples_of({0.0F, 0.5F, -0.5F, 1.0F, -1.0F, 1.5F, -1.5F, 0.00002F, -0.00002F}),
              testing::ElementsAre(0, 16384, -16384, 32767, -32768, 32767, -32768, 0, -1));
  EXPECT_THAT(samples_of({20'000.0F / 32'768, -20'000.0F / 32'768, 32'767.0F / 32'768}),
              testing::ElementsAre(20'000, -20'000, 32'767));
  EXPECT_THAT(
      samples_of({std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
                  std::numeric_limits<float>::quiet_NaN()}),
      testing::ElementsAre(32767, -32768, 0));
}

}  // namespace
}  // namespace backends
