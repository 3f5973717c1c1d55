// What no server should send, and what no host should run out of.
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "plugins_backends/codec_box.hpp"

namespace backends {
namespace {

constexpr std::string_view rich =
    R"({"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant",)"
    "\"content\":\"h\\u00e9\\ud83d\\ude00 \xE4\xB8\xAD\",\"reasoning\":\"r\","
    R"("tool_calls":[{"function":{"name":"f","arguments":"{\"a\":1}"}}]},"logprobs":null,)"
    R"("finish_reason":"stop"}],"usage":{"prompt_tokens":5,"completion_tokens":1e1,)"
    R"("prompt_tokens_details":{"cached_tokens":4}}})";

TEST(openai_hostile, an_event_cut_at_any_byte_fails_clearly) {
  codec_box box("openai-chat", {});
  for (std::size_t size = 1; size < rich.size(); ++size) {
    box.open_any();
    transcript heard;
    EXPECT_FALSE(box.message(heard, rich.substr(0, size))) << size;
    EXPECT_THAT(heard.lines, testing::ElementsAre(testing::StartsWith("failed -4 ")));
  }
  box.open_any();
  transcript heard;
  EXPECT_TRUE(box.message(heard, rich));
}

TEST(openai_hostile, an_event_with_any_byte_changed_does_not_crash) {
  codec_box box("openai-chat", {});
  std::mt19937 random(1);
  for (std::size_t at = 0; at < rich.size(); ++at) {
    std::string data(rich);
    data[at] = static_cast<char>(random());
    box.open_any();
    transcript heard;
    if (box.message(heard, data)) box.end(heard);
    EXPECT_TRUE(heard.finished());
  }
}

TEST(openai_hostile, random_bytes_and_random_json_do_not_crash) {
  codec_box box("openai", {});
  std::mt19937 random(2);
  constexpr std::string_view pieces[] = {
      "{",        "}",         "[",         "]",    ",", ":", "\"",      "\"choices\"",
      "\"text\"", "\"usage\"", "\"error\"", "null", "1", "-", "\\ud83d", "\xF0"};
  for (int i = 0; i < 3000; ++i) {
    std::string data;
    const std::size_t length = random() % 60;
    for (std::size_t k = 0; k < length; ++k) {
      if (i % 2 == 0)
        data += static_cast<char>(random());
      else
        data += pieces[random() % std::size(pieces)];
    }
    box.open_any();
    transcript heard;
    if (box.message(heard, data)) box.end(heard);
    EXPECT_TRUE(heard.finished());
  }
}

TEST(openai_hostile, nesting_of_any_depth_is_read_or_refused) {
  codec_box box("openai", {});
  constexpr std::size_t depth = 200'000;
  const auto nested = [](std::string_view open, std::string_view close) {
    std::string text;
    for (std::size_t i = 0; i < depth; ++i)
      text += open;
    text += "1";
    for (std::size_t i = 0; i < depth; ++i)
      text += close;
    return text;
  };
  for (const auto& value : {nested("[", "]"), nested("{\"choices\":", "}")}) {
    box.open_any();
    transcript heard;
    EXPECT_TRUE(box.message(heard, R"({"x":)" + value + R"(,"choices":[{"text":"a"}]})"));
    EXPECT_THAT(heard.lines, testing::ElementsAre("token 0 answer \"a\""));
    box.open_any();
    transcript failed;
    EXPECT_FALSE(box.message(failed, R"({"error":)" + value + "}"));
    EXPECT_THAT(failed.lines, testing::ElementsAre(testing::StartsWith("failed -5 ")));
    box.open_any();
    transcript open_ended;
    EXPECT_FALSE(box.message(open_ended, value.substr(0, value.size() / 2)));
  }
}

TEST(openai_hostile, a_text_of_megabytes_comes_whole) {
  codec_box box("openai", {});
  box.open_any();
  const std::string text(5'000'000, 'x');
  transcript heard;
  EXPECT_TRUE(box.message(heard, R"({"choices":[{"text":")" + text + R"("}]})"));
  EXPECT_EQ(heard.lines[0].size(), text.size() + std::string_view("token 0 answer \"\"").size());
}

TEST(openai_hostile, a_zero_byte_is_no_end) {
  codec_box box("openai", {});
  using namespace std::string_view_literals;
  for (const auto data :
       {"{\"choices\":[{\"text\":\"a\"}]}\0x"sv, "\0"sv, "{\0}"sv, "{\"a\":\"\0\"}"sv}) {
    box.open_any();
    transcript heard;
    EXPECT_FALSE(box.message(heard, data));
    EXPECT_THAT(heard.lines, testing::ElementsAre(testing::StartsWith("failed -4 ")));
  }
}

TEST(openai_hostile, a_host_without_memory_is_told_so) {
  codec_box box("openai", {});
  const std::string text(10'000, '"');
  const ifb_part part = ifb::text_part(text);
  ifb_sample sample = ifb::blank_sample();
  sample.shape = IFB_PROMPT_TEXT;
  sample.prompt = ifb::list_of({&part, 1});
  std::size_t enough = 0;
  for (std::size_t n = 0; enough == 0; ++n) {
    ASSERT_LT(n, 100U);
    support::arena memory(n);
    const ifb_status status = box.open(sample, memory);
    if (status == IFB_OK) {
      enough = n;
      EXPECT_EQ(parse(box.body())["prompt"].GetStringLength(), text.size());
    } else {
      EXPECT_EQ(status, IFB_E_MEMORY);
      EXPECT_EQ(box.error.code, IFB_E_MEMORY);
    }
    box.close();
  }
  EXPECT_GT(enough, 1U);
}

}  // namespace
}  // namespace backends
