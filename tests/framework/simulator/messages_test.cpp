#include "simulator/messages.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace inferbench::simulator {
namespace {

/// The text of a message with this content, or the reason of its refusal.
std::string text_of_content(const std::string& content) {
  rapidjson::Document json;
  json.Parse((R"([{"role":"user","content":)" + content + "}]").c_str());
  EXPECT_FALSE(json.HasParseError()) << content;
  std::string text;
  std::vector<sent_medium> media;
  const auto no = read_messages(json, "messages", {text, media});
  return no ? no->message : text;
}

TEST(messages, every_part_with_a_text_counts) {
  EXPECT_EQ(text_of_content(R"("abc")"), "abc");
  EXPECT_EQ(text_of_content("null"), "");
  EXPECT_EQ(text_of_content("[]"), "");
  EXPECT_EQ(text_of_content(R"(["a",{"type":"text","text":"b"},{"type":"input_text","text":"c"},
                                {"type":"refusal","refusal":"d"}])"),
            "abcd");
}

TEST(messages, a_medium_has_no_text) {
  EXPECT_EQ(
      text_of_content(R"([{"type":"image_url","image_url":{"url":"data:image/png;base64,YQ=="}},
                                {"type":"video_url","video_url":{"url":"https://host/v"}},
                                {"type":"audio_url","audio_url":"file:///a.wav"},
                                {"image_url":"http://host/i"},
                                {"type":"input_audio","input_audio":{"data":"YQ==","format":"wav"}},
                                {"type":"image_embeds","image_embeds":"x"}])"),
      "");
}

TEST(messages, a_medium_is_found_with_its_kind_and_its_place) {
  rapidjson::Document json;
  json.Parse(R"([{"role":"system","content":"a"},
      {"role":"user","content":[{"type":"text","text":"b"},
          {"type":"image_url","image_url":{"url":"data:image/png;base64,YQ=="}},
          {"type":"video_url","video_url":{"url":"https://host/v"}},
          {"audio_url":"file:///a.wav"}]},
      {"role":"user","content":[{"type":"input_image","image_url":"http://host/i"},
          {"type":"input_audio","input_audio":{"data":"YQ==","format":"wav"}}]}])");
  ASSERT_FALSE(json.HasParseError());
  std::string text;
  std::vector<sent_medium> media;
  EXPECT_FALSE(read_messages(json, "messages", {text, media}));
  EXPECT_EQ(text, "ab");
  std::string found;
  for (const sent_medium& each : media)
    found += each.place + " " + std::to_string(static_cast<int>(each.kind)) + " " +
             std::string(each.content()) + " " + each.ending + "\n";
  EXPECT_EQ(found,
            "messages.1.content.1 0 data:image/png;base64,YQ== \n"
            "messages.1.content.2 1 https://host/v \n"
            "messages.1.content.3 2 file:///a.wav \n"
            "messages.2.content.0 0 http://host/i \n"
            "messages.2.content.1 2 YQ== wav\n");
}

TEST(messages, parts_of_a_rerank_are_texts_and_media_and_others_are_ignored) {
  rapidjson::Document json;
  json.Parse(R"([{"type":"text","text":"a"},{"type":"image_url","image_url":"http://host/i"},
                 {"type":"smell"},{"type":"image_url"},1,"b",{"text":"c"}])");
  ASSERT_FALSE(json.HasParseError());
  std::string text;
  std::vector<sent_medium> media;
  read_ranked_parts(json, "documents.3", {text, media});
  EXPECT_EQ(text, "ac");
  ASSERT_EQ(media.size(), 1U);
  EXPECT_EQ(media[0].place, "documents.3.content.1");
  EXPECT_EQ(media[0].content(), "http://host/i");
}

TEST(messages, a_part_that_no_server_understands_is_refused) {
  const auto fault = [](const std::string& part) { return text_of_content("[" + part + "]"); };
  EXPECT_EQ(fault("1"), "messages.0.content.0 must be a text or an object with a type.");
  EXPECT_EQ(fault("{}"), "messages.0.content.0 must be a text or an object with a type.");
  EXPECT_EQ(fault(R"({"type":"smell"})"), "messages.0.content.0 has a type that is not known.");
  EXPECT_EQ(fault(R"({"type":"text","text":1})"), "messages.0.content.0 needs a text.");
  EXPECT_EQ(fault(R"({"type":"image_url","image_url":{}})"), "messages.0.content.0 needs a URL.");
  EXPECT_EQ(fault(R"({"type":"image_url","image_url":{"url":"/home/a.png"}})"),
            "messages.0.content.0 must have a URL that begins with http, https, data or file.");
  EXPECT_EQ(fault(R"({"type":"input_audio","input_audio":{"data":"YQ=="}})"),
            "messages.0.content.0 needs a sound with data and format.");
  EXPECT_EQ(fault(R"({"type":"text","text":"ok"},{"type":"text"})"),
            "messages.0.content.1 needs a text.");
}

}  // namespace
}  // namespace inferbench::simulator
