#include "simulator/event_writer.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "framework/simulator/chunks.hpp"

namespace inferbench::simulator {
namespace {

TEST(event_writer, each_event_is_a_chunk_of_its_own) {
  for (const api_kind kind :
       {api_kind::completion, api_kind::chat, api_kind::transcription, api_kind::translation}) {
    event_writer events;
    events.begin({kind, "r", "m", 17}, true);
    std::string out;
    std::size_t expected = 0;
    if (kind == api_kind::chat) {
      events.role(out);
      ++expected;
    }
    for (std::uint64_t word = 0; word < 64; ++word, ++expected)
      events.tokens(out, word, 1, "");
    events.tokens(out, 64, 500, "stop");
    events.used(out, {1, 2, 0});
    events.done(out);
    const auto chunks = chunks_of(out);
    ASSERT_EQ(chunks.size(), expected + 4);
    EXPECT_EQ(chunks.back(), "") << "the last chunk";
    EXPECT_EQ(chunks[chunks.size() - 2], "data: [DONE]\n\n");
    for (std::size_t i = 0; i + 2 < chunks.size(); ++i) {
      ASSERT_TRUE(chunks[i].starts_with("data: {") && chunks[i].ends_with("}\n\n")) << chunks[i];
      rapidjson::Document json;
      EXPECT_FALSE(json.Parse(chunks[i].c_str() + 6).HasParseError()) << chunks[i];
    }
  }
}

TEST(event_writer, without_chunks_only_the_events_are_written) {
  event_writer events;
  events.begin({api_kind::completion, "r", "m", 17}, false);
  std::string out;
  events.tokens(out, 0, 1, "");
  events.done(out);
  EXPECT_EQ(
      out,
      "data: {\"id\":\"cmpl-r\",\"object\":\"text_completion\",\"created\":17,\"model\":\"m\","
      "\"choices\":[{\"index\":0,\"text\":\" when\",\"logprobs\":null,\"finish_reason\":null,"
      "\"stop_reason\":null}]}\n\ndata: [DONE]\n\n");
}

TEST(event_writer, a_writer_that_begins_again_remembers_nothing) {
  event_writer events;
  events.begin({api_kind::chat, "first", "m", 1}, false);
  events.begin({api_kind::completion, "second", "m", 2}, true);
  std::string out;
  events.tokens(out, 0, 1, "");
  EXPECT_EQ(out.find("first"), std::string::npos);
  EXPECT_EQ(chunks_of(out).size(), 1U);
}

TEST(event_writer, names_from_outside_are_escaped) {
  event_writer events;
  events.begin({api_kind::chat, "a\"b", "c\\d\n", 1}, false);
  std::string out;
  events.tokens(out, 0, 1, "length");
  rapidjson::Document json;
  ASSERT_FALSE(json.Parse(out.c_str() + 6).HasParseError());
  EXPECT_STREQ(json["id"].GetString(), "chatcmpl-a\"b");
  EXPECT_STREQ(json["model"].GetString(), "c\\d\n");
}

TEST(event_writer, an_event_may_report_the_usage_so_far) {
  event_writer events;
  events.begin({api_kind::transcription, "r", "m", 17}, true);
  std::string out;
  usage so_far{100, 1, 0};
  events.tokens(out, 0, 1, "", &so_far);
  so_far.completion_tokens = 3;
  events.tokens(out, 1, 2, "stop", &so_far);
  events.tokens(out, 3, 1, "");
  const auto chunks = chunks_of(out);
  ASSERT_EQ(chunks.size(), 3U);
  EXPECT_EQ(chunks[0],
            "data: {\"id\":\"transcribe-r\",\"object\":\"transcription.chunk\",\"created\":17,"
            "\"model\":\"m\",\"choices\":[{\"delta\":{\"content\":\" when\"}}],\"usage\":{"
            "\"prompt_tokens\":100,\"total_tokens\":101,\"completion_tokens\":1}}\n\n");
  EXPECT_EQ(chunks[1],
            "data: {\"id\":\"transcribe-r\",\"object\":\"transcription.chunk\",\"created\":17,"
            "\"model\":\"m\",\"choices\":[{\"delta\":{\"content\":\" the tide\"},"
            "\"finish_reason\":\"stop\",\"stop_reason\":null}],\"usage\":{"
            "\"prompt_tokens\":100,\"total_tokens\":103,\"completion_tokens\":3}}\n\n");
  EXPECT_EQ(chunks[2].find("usage"), std::string::npos);
}

TEST(event_writer, a_whole_transcription_has_the_length_of_its_sound_and_a_translation_has_not) {
  std::string out;
  append_whole_transcription(out, api_kind::transcription, 0, 2, 3.2);
  EXPECT_EQ(out, R"({"text":" when the","usage":{"type":"duration","seconds":4}})");
  out.clear();
  append_whole_transcription(out, api_kind::translation, 0, 2, 3.2);
  EXPECT_EQ(out, R"({"text":" when the"})");
}

TEST(event_writer, words_go_round) {
  std::string all;
  append_words(all, 60, 8);
  EXPECT_EQ(all, " had some at last when the tide turns");
  EXPECT_EQ(size_of_words(60, 8), all.size());
  std::string far;
  append_words(far, UINT64_MAX, 2);
  EXPECT_EQ(far, " last when");
}

}  // namespace
}  // namespace inferbench::simulator
