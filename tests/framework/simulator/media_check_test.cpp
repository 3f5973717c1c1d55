#include "simulator/media_check.hpp"

#include <new>
#include <string>

#include <gtest/gtest.h>

#include <inferbench/text.hpp>

namespace inferbench::simulator {
namespace {

using media::kind;

const media::facts jpeg_facts{"image/jpeg", 4, 3, 1, 0, 0, 0};
const media::facts wav_facts{"audio/wav", 0, 0, 8000, 16000, 1, 0.5};
const media::facts mp4_facts{"video/mp4", 64, 48, 10, 0, 0, 0.4};

/// An inspector that finds the same in each file.
media_inspector finds(const media::facts& found) {
  return [found](std::string_view, kind) { return found; };
}

sent_medium medium_by_url(kind what, std::string_view url) {
  return {.kind = what, .borrowed = url};
}

std::string reason_of(const sent_medium& medium, const media::facts& found) {
  return check_medium(medium, finds(found)).reason;
}

TEST(media_check, the_inspector_gets_the_decoded_file_and_the_kind) {
  std::string file;
  kind expected = kind::image;
  const media_verdict verdict = check_medium(
      medium_by_url(kind::video, "data:video/mp4;base64,YWJj"), [&](auto bytes, kind asked) {
        file = bytes;
        expected = asked;
        return mp4_facts;
      });
  EXPECT_EQ(file, "abc");
  EXPECT_EQ(expected, kind::video);
  EXPECT_EQ(verdict.what, media_verdict::state::checked);
  EXPECT_EQ(verdict.reason, "");
  EXPECT_EQ(verdict.declared, "video/mp4");
  EXPECT_EQ(verdict.bytes, 3U);
  ASSERT_TRUE(verdict.found);
  EXPECT_EQ(verdict.found->frames, 10U);
}

TEST(media_check, a_medium_as_declared_has_no_fault) {
  EXPECT_EQ(reason_of(medium_by_url(kind::image, "data:image/jpg;base64,YQ=="), jpeg_facts), "");
  EXPECT_EQ(reason_of(medium_by_url(kind::image, "data:;base64,YQ=="), jpeg_facts), "")
      << "nothing is declared";
  const sent_medium sound{
      .kind = kind::sound, .what = sent_medium::form::base64, .ending = "wav", .borrowed = "YQ=="};
  EXPECT_EQ(reason_of(sound, wav_facts), "");
  const sent_medium upload{.kind = kind::sound,
                           .what = sent_medium::form::file,
                           .type = "audio/x-wav",
                           .ending = "WAV",
                           .borrowed = "RIFF"};
  EXPECT_EQ(reason_of(upload, wav_facts), "");
  EXPECT_EQ(check_medium(upload, finds(wav_facts)).bytes, 4U) << "not base64";
}

TEST(media_check, a_declaration_that_is_not_the_file_is_a_mismatch) {
  EXPECT_EQ(reason_of(medium_by_url(kind::image, "data:image/png;base64,YQ=="), jpeg_facts),
            "it is declared as image/png, but is image/jpeg");
  sent_medium sound{
      .kind = kind::sound, .what = sent_medium::form::base64, .ending = "mp3", .borrowed = "YQ=="};
  EXPECT_EQ(reason_of(sound, wav_facts), "its format is said to be mp3, but it is audio/wav");
  sound.what = sent_medium::form::file;
  EXPECT_EQ(reason_of(sound, wav_facts), "its file name ends with .mp3, but it is audio/wav");
  sound.type = "audio/flac";
  EXPECT_EQ(reason_of(sound, wav_facts), "it is declared as audio/flac, but is audio/wav");
  EXPECT_EQ(check_medium(sound, finds(wav_facts)).found->rate, 16000U)
      << "the facts are known anyway";
}

TEST(media_check, a_content_that_is_no_file_is_not_decoded) {
  const auto fault = [](std::string_view url) {
    const media_verdict verdict = check_medium(medium_by_url(kind::image, url), [](auto, auto) {
      ADD_FAILURE() << "decoded";
      return jpeg_facts;
    });
    EXPECT_EQ(verdict.what, media_verdict::state::checked);
    EXPECT_FALSE(verdict.found);
    return verdict.reason;
  };
  EXPECT_EQ(fault("data:image/png"), "its data: URL has no comma");
  EXPECT_EQ(fault("data:image/png,abc"), "its data: URL is not in base64");
  EXPECT_EQ(fault("data:image/png;base64,YW!j"),
            "its base64 has an invalid character at position 3");
  EXPECT_EQ(fault("data:image/png;base64,"), "it has no bytes");
  const sent_medium empty{.kind = kind::sound, .what = sent_medium::form::file};
  EXPECT_EQ(reason_of(empty, wav_facts), "it has no bytes");
}

TEST(media_check, a_file_without_extent_is_a_mismatch) {
  const auto fault = [](kind what, media::facts found) {
    return reason_of(medium_by_url(what, "data:;base64,YQ=="), found);
  };
  media::facts found = jpeg_facts;
  found.height = 0;
  EXPECT_EQ(fault(kind::image, found), "its size is 4x0");
  found = mp4_facts;
  found.frames = 0;
  EXPECT_EQ(fault(kind::video, found), "it has no frames");
  found = mp4_facts;
  found.seconds = 0;
  EXPECT_EQ(fault(kind::video, found), "its duration is 0");
  found = wav_facts;
  found.frames = 0;
  EXPECT_EQ(fault(kind::sound, found), "it has no samples");
  found = wav_facts;
  found.seconds = 0;
  EXPECT_EQ(fault(kind::sound, found), "its duration is 0");
}

TEST(media_check, a_file_that_cannot_be_decoded_is_a_mismatch) {
  const sent_medium image = medium_by_url(kind::image, "data:image/png;base64,YQ==");
  const auto fault = [&](auto thrown) {
    const media_verdict verdict =
        check_medium(image, [&](auto, auto) -> media::facts { throw thrown; });
    EXPECT_EQ(verdict.what, media_verdict::state::checked);
    EXPECT_FALSE(verdict.found);
    return verdict.reason;
  };
  EXPECT_EQ(fault(media::failure(media::cause::data, "the PNG file ends early")),
            "the PNG file ends early");
  EXPECT_EQ(fault(std::bad_alloc()), "it cannot be decoded: there is not enough memory");
  EXPECT_EQ(fault(std::runtime_error("why")), "it cannot be decoded: why");
}

TEST(media_check, without_a_codec_and_for_a_remote_url_there_is_no_mismatch) {
  const media_verdict none = check_medium(
      medium_by_url(kind::image, "data:image/png;base64,YQ=="),
      [](auto, auto) -> media::facts { throw media::failure(media::cause::missing, "no FFmpeg"); });
  EXPECT_EQ(none.what, media_verdict::state::no_codec);
  EXPECT_EQ(none.reason, "no FFmpeg");
  for (const char* url : {"http://h/i.png", "https://h/i.png", "file:///i.png"})
    EXPECT_EQ(check_medium(medium_by_url(kind::image, url), finds(jpeg_facts)).what,
              media_verdict::state::remote)
        << url;
}

TEST(media_check, a_declared_type_is_cut) {
  const std::string url = "data:" + std::string(100'000, 'x') + ";base64,YQ==";
  EXPECT_EQ(check_medium(medium_by_url(kind::image, url), finds(jpeg_facts)).declared,
            std::string(longest_media_word, 'x'));
}

}  // namespace
}  // namespace inferbench::simulator
