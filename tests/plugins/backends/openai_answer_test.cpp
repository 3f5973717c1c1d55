// Passes the events of answers to the codecs of backends and compares what the codecs report. The
// cases are in tests/fixtures/backends/*_transcripts.json.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/backends/codec_box.hpp"
#include "plugins/backends/options_of.hpp"
#include "plugins/backends/sample_of.hpp"

namespace backends {
namespace {

/// Passes the head, if case `c` has one, and the messages of the case to the codec, whose request
/// is open. The reports must be the lines of the member "heard".
void hear(const rapidjson::Value& c, codec_box& box) {
  transcript heard;
  bool going = true;  // the codec has accepted all messages so far
  if (c.HasMember("headers")) {
    std::vector<ifb_field> fields;
    for (const auto& m : c["headers"].GetObject())
      fields.push_back(ifb::field(m.name.GetString(), m.value.GetString()));
    going = box.head(heard, fields);
  }
  for (const auto& m : c["messages"].GetArray()) {
    ASSERT_TRUE(going) << "messages after a failure";
    going = box.message(heard, m.IsString() ? std::string(m.GetString()) : to_text(m),
                        c.HasMember("event") ? c["event"].GetString() : "");
  }
  if (going) box.end(heard);
  std::vector<std::string> expected;
  for (const auto& line : c["heard"].GetArray())
    expected.emplace_back(line.GetString(), line.GetStringLength());
  EXPECT_EQ(heard.lines, expected);
  EXPECT_TRUE(heard.finished());
}

class openai_answers : public testing::TestWithParam<const char*> {};

TEST_P(openai_answers, give_the_recorded_reports) {
  const auto cases = fixture((std::string(GetParam()) + "_transcripts.json").c_str());
  ASSERT_GT(cases.Size(), 5U);
  for (const auto& c : cases.GetArray()) {
    SCOPED_TRACE(c["name"].GetString());
    codec_box box(c["backend"].GetString(), options_of(c));
    if (c.HasMember("sample")) {
      const sample_of made(c["sample"]);
      ASSERT_EQ(box.open(made.sample), IFB_OK) << box.error.message;
      hear(c, box);
    } else {
      box.open_any();
      hear(c, box);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(backends, openai_answers,
                         testing::Values("openai", "responses", "audio", "pooling"),
                         [](const auto& each) { return std::string(each.param); });

TEST(openai_answer, shows_200_bytes_of_an_unreadable_answer) {
  codec_box box("openai", {});
  box.open_any();
  transcript heard;
  const std::string page = "<html>\r\n" + std::string(189, 'x') + "\u4E2D\u4E2D\u4E2D" + "end";
  box.message(heard, page);
  ASSERT_EQ(heard.lines.size(), 1U);
  EXPECT_THAT(heard.lines[0],
              testing::EndsWith("): <html>  " + std::string(189, 'x') + "\u4E2D..."));
}

TEST(openai_answer, gets_replacement_characters_for_invalid_utf8) {
  codec_box box("openai", {});
  box.open_any();
  transcript heard;
  box.message(heard, "{\"choices\":[{\"text\":\"a\xFF\xE4\xB8 b\",\"finish_reason\":\"\xC3\"}]}");
  box.end(heard);
  EXPECT_EQ(heard.lines,
            (std::vector<std::string>{"token 0 answer \"a\uFFFD\uFFFD b\"", "done \uFFFD"}));
}

TEST(openai_answer, leaves_no_state_for_the_next_request) {
  codec_box box("openai", {});
  for (int i = 0; i < 2; ++i) {
    box.open_any();
    transcript heard;
    box.message(heard, R"({"choices":[{"text":"a","finish_reason":"stop"}]})");
    box.end(heard);
    EXPECT_EQ(heard.lines, (std::vector<std::string>{"token 0 answer \"a\"", "done stop"}));
  }
  box.open_any();
  transcript silent;
  box.end(silent);
  // The error says that an answer without an event with choices has no TTFT.
  EXPECT_THAT(silent.lines, testing::ElementsAre(testing::HasSubstr("TTFT")));
}

TEST(openai_answer, is_read_as_sse_if_the_request_asks_for_a_stream_whatever_the_content_type) {
  const auto typed = [](std::string_view type) {
    return std::vector<ifb_field>{ifb::field("Date", "x"), ifb::field("CONTENT-type", type)};
  };
  codec_box streamed("openai", {});
  streamed.open_any();
  EXPECT_EQ(streamed.head(200, typed("text/event-stream")), IFB_FRAMING_SSE);
  EXPECT_EQ(streamed.head(200, typed("application/json")), IFB_FRAMING_SSE);
  EXPECT_EQ(streamed.head(200, typed("text/html")), IFB_FRAMING_SSE);
  EXPECT_EQ(streamed.head(200, typed("Text/Plain; charset=utf-8")), IFB_FRAMING_SSE);
  EXPECT_EQ(streamed.head(200, typed("")), IFB_FRAMING_SSE);
  EXPECT_EQ(streamed.head(200, {}), IFB_FRAMING_SSE);
  EXPECT_EQ(streamed.head(503, {}), IFB_FRAMING_AUTO);
  codec_box whole("openai", {{"extra-body", R"({"stream": false})"}});
  whole.open_any();
  EXPECT_EQ(whole.head(200, {}), IFB_FRAMING_AUTO);
}

}  // namespace
}  // namespace backends
