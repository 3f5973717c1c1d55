#include "simulator/messages.hpp"

#include <string>

#include <gtest/gtest.h>

namespace inferbench::simulator {
namespace {

/// The text of a message with this content, or the reason of its refusal.
std::string text_of_content(const std::string& content) {
  rapidjson::Document json;
  json.Parse((R"([{"role":"user","content":)" + content + "}]").c_str());
  EXPECT_FALSE(json.HasParseError()) << content;
  std::string text;
  const auto no = read_messages(json, "messages", text);
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
