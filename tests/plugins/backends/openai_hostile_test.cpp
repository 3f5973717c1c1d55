// Tests invalid answers of servers, and a host without memory.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/backends/codec_box.hpp"
#include "plugins/backends/hostile.hpp"

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
  expect_failures_of_cuts(box, rich);
}

TEST(openai_hostile, an_event_with_any_byte_changed_does_not_crash) {
  codec_box box("openai-chat", {});
  expect_ends_of_changes(box, rich);
}

TEST(openai_hostile, random_bytes_and_random_json_do_not_crash) {
  codec_box box("openai", {});
  constexpr std::string_view pieces[] = {
      "{",        "}",         "[",         "]",    ",", ":", "\"",      "\"choices\"",
      "\"text\"", "\"usage\"", "\"error\"", "null", "1", "-", "\\ud83d", "\xF0"};
  expect_ends_of_random(box, 3000, 2, pieces);
}

TEST(openai_hostile, nesting_of_any_depth_is_read_or_refused) {
  codec_box box("openai", {});
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
  expect_megabytes_whole(box, R"({"choices":[{"text":")", R"("}]})");
}

TEST(openai_hostile, a_zero_byte_is_not_an_end) {
  codec_box box("openai", {});
  expect_failures_of_zero_bytes(box);
}

TEST(openai_hostile, a_host_without_memory_gets_an_error) {
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
