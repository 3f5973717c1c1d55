// The check of real files with the real library, from the request to the facts. If the build has no
// codecs, these tests are skipped.
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/text.hpp>

#include "base/text.hpp"
#include "framework/simulator/raw_client.hpp"
#include "framework/simulator/sound_form.hpp"
#include "support/media.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::simulator {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string media_file(const std::string& name) {
  return base::read_file(INFERBENCH_FIXTURES "/media/" + name);
}

class media_files : public testing::Test {
 protected:
  media_files() { settings_.media_facts = folder_.path("facts.jsonl"); }

  void SetUp() override {
    try {
      (void)media::inspect(media_file("test1.png"), media::kind::image);
    } catch (const media::failure& e) {
      if (e.kind() != media::cause::missing) throw;
      INFERBENCH_LACKS_MEDIA(e.what());
    }
  }

  /// Sends a chat with one part.
  void chat(const std::string& part) {
    const std::string body = R"({"messages":[{"role":"user","content":[)" + part +
                             R"(]}],"max_tokens":3,"ignore_eos":true})";
    EXPECT_THAT(exchanged(server().port(), post_text("/v1/chat/completions", body)),
                StartsWith("HTTP/1.1 200 OK\r\n"));
  }
  void chat_with_url(const std::string& kind, const std::string& type, std::string_view file) {
    chat(R"({"type":")" + kind + R"(",")" + kind + R"(":{"url":"data:)" + type + ";base64," +
         ifb::base64(file) + R"("}})");
  }

  /// Ends the check. The lines of the facts, from their kind on.
  std::vector<std::string> facts() {
    server().stop();
    std::vector<std::string> out;
    const std::string text = base::read_file(settings_.media_facts);
    for (const auto line : base::split(text, '\n'))
      if (!line.empty()) out.emplace_back(line.substr(line.find("\"kind\"")));
    return out;
  }

  test_server& server() {
    if (!server_) server_ = std::make_unique<test_server>(settings_, false, media::inspect);
    return *server_;
  }

 private:
  support::temporary_folder folder_;
  options settings_;
  std::unique_ptr<test_server> server_;
};

/// The end of a line of facts, from the format on.
std::string image_facts(const std::string& format, int width, int height) {
  return "\"format\": \"" + format + "\", \"width\": " + std::to_string(width) +
         ", \"height\": " + std::to_string(height) + R"(, "frames": 1, "mismatch": ""})";
}
std::string video_facts(int frames, const std::string& seconds) {
  return R"("format": "video/mp4", "width": 64, "height": 48, "frames": )" +
         std::to_string(frames) + ", \"seconds\": " + seconds + R"(, "mismatch": ""})";
}
std::string sound_facts(const std::string& format, int frames, int rate,
                        const std::string& seconds) {
  return "\"format\": \"" + format + "\", \"frames\": " + std::to_string(frames) +
         ", \"rate\": " + std::to_string(rate) + ", \"channels\": 1, \"seconds\": " + seconds +
         R"(, "mismatch": ""})";
}

TEST_F(media_files, images_are_decoded) {
  chat_with_url("image_url", "image/jpeg", media_file("photo1.jpg"));
  chat_with_url("image_url", "image/png", media_file("test1.png"));
  chat_with_url("image_url", "image/webp", media_file("small.webp"));
  EXPECT_THAT(facts(), ElementsAre(HasSubstr(image_facts("image/jpeg", 96, 64)),
                                   HasSubstr(image_facts("image/png", 96, 64)),
                                   HasSubstr(image_facts("image/webp", 64, 64))));
  EXPECT_EQ(server().get().media_summary(),
            "media: 3 checked (3 images, 16384 pixels), 0 mismatches, 0 unchecked");
}

TEST_F(media_files, videos_and_sounds_are_decoded) {
  chat_with_url("video_url", "video/mp4", media_file("clip_mpeg4.mp4"));
  chat_with_url("video_url", "video/mp4", media_file("clip_h264.mp4"));
  chat_with_url("audio_url", "audio/mpeg", media_file("tone_2s.mp3"));
  for (const auto& [name, format] :
       {std::pair{"tone_2s.flac", "flac"}, std::pair{"tone_2s.mp3", "mp3"},
        std::pair{"float_8k.wav", "wav"}})
    chat(R"({"type":"input_audio","input_audio":{"format":")" + std::string(format) +
         R"(","data":")" + ifb::base64(media_file(name)) + R"("}})");
  EXPECT_THAT(facts(),
              ElementsAre(HasSubstr(video_facts(8, "2.0")), HasSubstr(video_facts(8, "1.0")),
                          HasSubstr(sound_facts("audio/mpeg", 32000, 16000, "2.0")),
                          HasSubstr(sound_facts("audio/flac", 32000, 16000, "2.0")),
                          HasSubstr(sound_facts("audio/mpeg", 32000, 16000, "2.0")),
                          HasSubstr(sound_facts("audio/wav", 2400, 8000, "0.3"))));
}

TEST_F(media_files, an_upload_is_decoded) {
  exchanged(server().port(), post_text("/v1/audio/transcriptions", form_with(silence(0.5), {}),
                                       "Content-Type: " + std::string(form_type) + "\r\n"));
  exchanged(server().port(),
            post_text("/v1/audio/transcriptions", form_with(media_file("tone_2s.flac"), {}),
                      "Content-Type: " + std::string(form_type) + "\r\n"));
  EXPECT_THAT(facts(), ElementsAre(HasSubstr(sound_facts("audio/wav", 4000, 8000, "0.5")),
                                   HasSubstr("\"mismatch\": \"it is declared as audio/wav, but is "
                                             "audio/flac\"")));
}

TEST_F(media_files, a_wrong_type_a_wrong_kind_and_a_damaged_file_are_mismatches) {
  chat_with_url("image_url", "image/png", media_file("photo1.jpg"));
  chat_with_url("image_url", "video/mp4", media_file("clip_mpeg4.mp4"));
  chat_with_url("video_url", "video/mp4", media_file("clip_mpeg4.mp4").substr(0, 3000));
  chat_with_url("image_url", "image/png", "not an image");
  const auto found = facts();
  ASSERT_EQ(found.size(), 4U);
  EXPECT_THAT(found[0], HasSubstr("it is declared as image/png, but is image/jpeg"));
  for (const std::string& line : found)
    EXPECT_THAT(line, Not(HasSubstr(R"("mismatch": "")")));
  EXPECT_THAT(server().get().media_summary(), HasSubstr("4 mismatches"));
}

// No damage ends the server, and each damaged file is counted.
TEST_F(media_files, cut_and_damaged_files_are_counted_and_do_no_harm) {
  std::mt19937 random(19);  // NOLINT(cert-msc51-cpp): the same damage in each run
  std::size_t sent = 0;
  for (const auto& [name, kind] :
       {std::pair{"photo1.jpg", "image_url"}, std::pair{"test1.png", "image_url"},
        std::pair{"small.webp", "image_url"}, std::pair{"clip_mpeg4.mp4", "video_url"},
        std::pair{"tone_2s.mp3", "audio_url"}}) {
    const std::string file = media_file(name);
    for (int i = 0; i < 12; ++i) {
      std::string damaged = file;
      for (int changes = 0; changes < 8; ++changes)
        damaged[random() % damaged.size()] = static_cast<char>(random());
      if (i % 2 == 0) damaged.resize(random() % damaged.size());
      chat_with_url(kind, "", damaged);
      ++sent;
    }
  }
  EXPECT_EQ(facts().size(), sent);
  EXPECT_THAT(server().get().media_summary(),
              HasSubstr("media: " + std::to_string(sent) + " checked"));
}

}  // namespace
}  // namespace inferbench::simulator
