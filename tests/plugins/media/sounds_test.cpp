// The sounds of part_maker.
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "datasets/media/part_maker.hpp"
#include "plugins/media/making.hpp"

namespace {

namespace codecs = inferbench::media;
using media_test::data_of;
using media_test::fixture;
using media_test::making;
using media_test::object_of_bytes;
using media_test::parsed;
using media_test::text_value;
using media_test::trouble_of;
using row_media::sound_part;
using row_media::sound_use;
using ::testing::HasSubstr;

// The samples of a WAV file with 16-bit integers and a head of 44 bytes.
std::vector<std::int16_t> samples_of(const std::string& wav) {
  std::vector<std::int16_t> out((wav.size() - 44) / 2);
  std::memcpy(out.data(), wav.data() + 44, out.size() * 2);
  return out;
}

TEST(part_maker_sound, of_a_path_is_a_wav_file) {
  making m;
  for (const auto& [name, seconds] :
       {std::pair{"tone_1s.wav", 1.0}, std::pair{"tone_2s.flac", 2.0},
        std::pair{"stereo_44k.wav", 0.4}, std::pair{"float_8k.wav", 0.3}}) {
    SCOPED_TRACE(name);
    const std::string file = fixture(name);
    m.folder.write(name, file);
    const sound_part found = m.sound(text_value(name));
    EXPECT_EQ(found.part.kind, std::uint32_t{IFB_PART_AUDIO});
    EXPECT_STREQ(found.part.mime, "audio/wav");
    EXPECT_EQ(ifb::view(found.part.name), "audio.wav");
    EXPECT_EQ(data_of(found.part), codecs::to_wav(file, codecs::precision::float64).file);
    EXPECT_DOUBLE_EQ(found.seconds, codecs::inspect_sound(file).seconds());
    EXPECT_NEAR(found.seconds, seconds, 0.11);
    const std::string url = "file://" + m.folder.path(name);
    EXPECT_EQ(m.sound(text_value(url)).part.data.data, found.part.data.data) << "is made once";
  }
}

TEST(part_maker_sound, of_16_bits_keeps_its_samples) {
  making m;
  for (const char* const name : {"tone_1s.wav", "short_mono.wav", "short_stereo.wav"}) {
    m.folder.write(name, fixture(name));
    EXPECT_EQ(samples_of(data_of(m.sound(text_value(name)).part)), samples_of(fixture(name)));
  }
}

TEST(part_maker_sound, for_an_upload_is_the_file_itself) {
  making m;
  for (const auto& [name, type] :
       {std::pair{"tone_1s.wav", "audio/wav"}, std::pair{"tone_2s.flac", "audio/flac"},
        std::pair{"tone_2s.mp3", "audio/mpeg"}}) {
    SCOPED_TRACE(name);
    m.folder.write(std::string("sub/") + name, fixture(name));
    const sound_part found = m.sound(text_value(std::string("sub/") + name), sound_use::upload);
    EXPECT_STREQ(found.part.mime, type);
    EXPECT_EQ(ifb::view(found.part.name), name);
    EXPECT_EQ(data_of(found.part), fixture(name));
    EXPECT_DOUBLE_EQ(found.seconds, codecs::inspect_sound(fixture(name)).seconds());
    const std::string object = R"({"bytes": null, "path": "sub/)" + std::string(name) + "\"}";
    EXPECT_EQ(m.sound(parsed(object), sound_use::upload).part.data.data, found.part.data.data);
  }
}

TEST(part_maker_sound, of_bytes_is_decoded_to_32_bit_floats) {
  making m;
  const std::string file = fixture("tone_2s.flac");
  const std::string expected = codecs::to_wav(file, codecs::precision::float32).file;
  for (const sound_use use : {sound_use::wav, sound_use::upload}) {
    const sound_part found = m.sound(object_of_bytes(file), use);
    EXPECT_EQ(data_of(found.part), expected);
    EXPECT_EQ(ifb::view(found.part.name), "audio.wav");
    EXPECT_DOUBLE_EQ(found.seconds, 2);
  }
}

TEST(part_maker_sound, may_be_samples_and_their_rate) {
  making m;
  const double mono[] = {0, 0.5, -0.5, 1};
  const std::string expected = codecs::encode_wav(8000, 1, mono).file;
  for (const char* const json : {"[[0, 0.5, -0.5, 1], 8000]",
                                 R"({"array": [0, 0.5, -0.5, 1], "sampling_rate": 8000,
                                     "path": "a.wav", "bytes": null})"}) {
    const sound_part found = m.sound(parsed(json));
    EXPECT_EQ(data_of(found.part), expected);
    EXPECT_DOUBLE_EQ(found.seconds, 0.0005);
  }
  EXPECT_EQ(data_of(m.sound(parsed("[[[0, 0.5], [-0.5, 1]], 8000]")).part),
            codecs::encode_wav(8000, 2, mono).file);
}

TEST(part_maker_sound, that_cannot_be_used_is_named) {
  making m;
  const auto trouble = [&](const std::string& json) {
    return trouble_of([&, value = parsed(json)] { return m.sound(value); });
  };
  m.folder.write("text.wav", "no sound");
  EXPECT_THAT(trouble("\"text.wav\""),
              HasSubstr("cannot decode the sound " + m.folder.path("text.wav") + ": "));
  EXPECT_THAT(trouble("\"none.wav\""), HasSubstr("none.wav: No such file or directory"));
  EXPECT_EQ(trouble("\"http://h/a.wav\""), "a sound is a path, and not the URL http://h/a.wav");
  EXPECT_THAT(trouble(R"({"bytes": "x"})"), HasSubstr("cannot decode the sound: "));
  EXPECT_THAT(trouble(R"({"array": [], "sampling_rate": 1})"), HasSubstr("no list of samples"));
  for (const char* const json : {"null", "3", "[]", "[[0.5]]", "{}", R"({"path": ""})",
                                 R"({"path": null, "bytes": null})", R"({"array": [1]})"})
    EXPECT_THAT(trouble(json), HasSubstr("a sound is a path, an object with")) << json;
  const std::string flac = fixture("tone_2s.flac");
  for (std::size_t size = 0; size < 200; ++size)
    static_cast<void>(trouble_of([&] { return m.sound(object_of_bytes(flac.substr(0, size))); }));
}

TEST(part_maker_sound, has_its_length_as_metadata) {
  making m;
  EXPECT_EQ(ifb::view(row_media::duration_field(2, m.memory()).value), "2.0");
  const ifb_field field = row_media::duration_field(0.123456789012345678, m.memory());
  EXPECT_EQ(ifb::view(field.name), "input_audio_duration");
  EXPECT_EQ(ifb::view(field.value), "0.12345678901234568");
}

}  // namespace
