#include "simulator/wire.hpp"

#include <charconv>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidjson/document.h>

namespace inferbench::simulator {
namespace {

// The chunks of a chunked body. The test fails if the size of a chunk is wrong.
std::vector<std::string> chunks_of(std::string_view body) {
  std::vector<std::string> out;
  while (!body.empty()) {
    const auto line = body.find("\r\n");
    std::size_t size = 0;
    std::from_chars(body.data(), body.data() + line, size, 16);
    EXPECT_EQ(body.substr(line + 2 + size, 2), "\r\n");
    out.emplace_back(body.substr(line + 2, size));
    body.remove_prefix(line + 4 + size);
  }
  return out;
}

TEST(wire, each_event_is_a_chunk_of_its_own) {
  for (const api_kind kind : {api_kind::completion, api_kind::chat}) {
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

TEST(wire, without_chunks_only_the_events_are_written) {
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

TEST(wire, a_writer_that_begins_again_remembers_nothing) {
  event_writer events;
  events.begin({api_kind::chat, "first", "m", 1}, false);
  events.begin({api_kind::completion, "second", "m", 2}, true);
  std::string out;
  events.tokens(out, 0, 1, "");
  EXPECT_EQ(out.find("first"), std::string::npos);
  EXPECT_EQ(chunks_of(out).size(), 1U);
}

TEST(wire, names_from_outside_are_escaped) {
  event_writer events;
  events.begin({api_kind::chat, "a\"b", "c\\d\n", 1}, false);
  std::string out;
  events.tokens(out, 0, 1, "length");
  rapidjson::Document json;
  ASSERT_FALSE(json.Parse(out.c_str() + 6).HasParseError());
  EXPECT_STREQ(json["id"].GetString(), "chatcmpl-a\"b");
  EXPECT_STREQ(json["model"].GetString(), "c\\d\n");
  rapidjson::Document error;
  ASSERT_FALSE(error.Parse(error_body(404, "no \"x\" here").c_str()).HasParseError());
  EXPECT_STREQ(error["error"]["message"].GetString(), "no \"x\" here");
  EXPECT_EQ(error["error"]["code"].GetInt(), 404);
}

TEST(wire, an_answer_says_how_long_it_is) {
  std::string out;
  append_answer(out, 405, json_type, "{}", false, "allow: POST\r\n");
  EXPECT_EQ(out,
            "HTTP/1.1 405 Method Not Allowed\r\nserver: inferbench-simulator\r\n"
            "content-type: application/json\r\nconnection: close\r\nallow: POST\r\n"
            "content-length: 2\r\n\r\n{}");
  out.clear();
  append_answer(out, 200, json_type, "{}", true, {}, false);
  EXPECT_TRUE(out.ends_with("content-length: 2\r\n\r\n")) << "to HEAD";
}

TEST(wire, words_go_round) {
  std::string all;
  append_words(all, 60, 8);
  EXPECT_EQ(all, " had some at last when the tide turns");
  std::string far;
  append_words(far, UINT64_MAX, 2);
  EXPECT_EQ(far, " last when");
}

}  // namespace
}  // namespace inferbench::simulator
