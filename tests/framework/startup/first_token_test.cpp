#include "startup/first_token.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/transport/loopback.hpp"
#include "options/node.hpp"

namespace inferbench::startup {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// A reader that got each piece with the stamp 10, 20, ...
template <typename... text>
void read_answer(token_reader& reader, const text&... pieces) {
  std::uint64_t stamp = 0;
  (reader.add(pieces, stamp += 10), ...);
  reader.finish();
}

TEST(first_token, has_the_stamp_of_the_first_choice) {
  token_reader reader;
  read_answer(reader, ": a comment\n\n", "data: {\"choices\": []}\n\n",
              "data: {\"choices\": [{\"text\"", ": \"a\"}]}\n\n",
              "data: {\"choices\": [{\"text\": \"b\"}]}\n\ndata: [DONE]\n\n");
  EXPECT_EQ(reader.token_ns(), 40U);
  EXPECT_EQ(reader.error(), "");
}

TEST(first_token, may_be_empty_text) {
  token_reader reader;
  read_answer(reader, "data: {\"choices\": [{\"text\": \"\"}]}\n\n");
  EXPECT_EQ(reader.token_ns(), 10U);
}

TEST(first_token, of_an_answer_that_is_not_streamed_comes_with_its_end) {
  token_reader reader;
  read_answer(reader, "{\"id\": 1,\n", "\"choices\": [{\"text\": \"a\"}]}");
  EXPECT_EQ(reader.token_ns(), 20U);
  EXPECT_EQ(reader.error(), "");
}

TEST(first_token, is_missing_with_the_error_of_the_stream) {
  token_reader object;
  read_answer(object, "data: {\"error\": {\"message\": \"out of\\nmemory\", \"code\": 500}}\n\n");
  EXPECT_EQ(object.error(), "out of memory");
  token_reader other;
  read_answer(other, "data: {\"error\": [1]}\n\ndata: [DONE]\n\n");
  EXPECT_EQ(other.error(), "[1]");
}

TEST(first_token, is_missing_in_answers_without_sense) {
  for (const auto& [answer, error] :
       {std::pair<std::string, std::string>{"", "the answer has no choices"},
        {"data: [DONE]\n\n", "the answer has no choices"},
        {"data: {\"choices\": 1}\n\n", "the answer has no choices"},
        {"data: [1, 2]\n\n", "the answer has no choices"},
        {"data: null\n\n", "the answer has no choices"},
        {"data: <html>\n\n", "the answer is no JSON: <html>"},
        {"data: " + std::string(2'000'000, '[') + "\n\n", "the answer is too long"}}) {
    token_reader reader;
    read_answer(reader, answer);
    EXPECT_EQ(reader.token_ns(), 0U);
    EXPECT_EQ(reader.error(), error);
  }
  token_reader long_text;
  read_answer(long_text, "data: " + std::string(1000, 'x') + "\n\n");
  EXPECT_EQ(long_text.error(), "the answer is no JSON: " + std::string(200, 'x') + "...");
}

TEST(first_token, request_asks_for_one_token_as_a_stream) {
  const options::node body = options::parse_json_node(first_token_body("a \"b\""), "body");
  EXPECT_EQ(body.find("model")->text, "a \"b\"");
  EXPECT_EQ(body.find("max_tokens")->integer, 1);
  EXPECT_TRUE(body.find("stream")->boolean);
}

TEST(first_token, that_does_not_come_in_time_is_an_error) {
  const transport::test::loopback silent;
  const base::monotonic_clock clock;
  const auto where = transport::resolve(transport::parse_url(silent.url()));
  const first_token got =
      fetch_first_token(where, {.model = "m", .timeout_ns = base::ns_per_ms}, clock);
  EXPECT_THAT(got.error, StartsWith("no complete answer from " + silent.url()));
}

TEST(first_token, of_a_server_that_is_not_there_is_an_error) {
  std::string url;
  {
    const transport::test::loopback gone;
    url = gone.url();
  }
  const base::monotonic_clock clock;
  const auto where = transport::resolve(transport::parse_url(url));
  EXPECT_THAT(fetch_first_token(where, {.model = "m", .timeout_ns = base::ns_per_s}, clock).error,
              HasSubstr("no connection to "));
  EXPECT_EQ(first_model(where, "", {}, clock), "");
}

}  // namespace
}  // namespace inferbench::startup
