#include "simulator/replay.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "framework/simulator/raw_client.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::simulator {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class replay : public testing::Test {
 protected:
  std::string transcript(const std::string& text) { return folder_.write("acme.json", text); }
  static std::string complaint(const std::string& path) {
    try {
      static_cast<void>(read_recorded(path));
    } catch (const base::error& e) {
      return e.what();
    }
    return "none";
  }

  support::temporary_folder folder_;
};

constexpr const char* two_answers = R"([
  {"name": "one", "body": ["data: Hel\n\nda", "", "ta: lo\n\n"], "heard": []},
  {"name": "messages are not a body", "messages": ["a"], "heard": []},
  {"name": "neither is a request's", "sample": {}, "body": {"prompt": "a"}},
  {"name": "two", "type": "application/json", "status": "429 Too Many Requests", "body": ["{}"]}
])";

TEST_F(replay, the_bodies_of_a_transcript_are_read_in_its_order) {
  const auto found = read_recorded(transcript(two_answers));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].status, 200);
  EXPECT_EQ(found[0].content_type, "text/event-stream; charset=utf-8");
  EXPECT_THAT(found[0].pieces, ElementsAre("data: Hel\n\nda", "ta: lo\n\n"));
  EXPECT_EQ(found[1].status, 429);
  EXPECT_EQ(found[1].content_type, "application/json");
  EXPECT_THAT(found[1].pieces, ElementsAre("{}"));
}

TEST_F(replay, a_file_without_a_recorded_answer_is_refused) {
  const std::string missing = folder_.path("none.json");
  EXPECT_THAT(complaint(missing), HasSubstr("none.json"));
  EXPECT_THAT(complaint(transcript("[")), HasSubstr("malformed JSON"));
  for (const char* text : {"{}", "[]", "[1]", R"([{"body": []}])", R"([{"body": [""]}])"})
    EXPECT_THAT(complaint(transcript(text)), HasSubstr("has no recorded answer")) << text;
  options settings;
  settings.replay = missing;
  EXPECT_THROW(test_server{settings}, base::error);
}

TEST_F(replay, posts_are_answered_in_turn_and_helpers_still_help) {
  options settings;
  settings.replay = transcript(two_answers);
  test_server server(settings);
  const auto ask = [&](const std::string& path) {
    return exchanged(server.port(), post_text(path, "{}", "x-request-id: r1\r\n"), true);
  };
  EXPECT_EQ(ask("/v1/go"),
            "HTTP/1.1 200 OK\r\nserver: inferbench-simulator\r\n"
            "content-type: text/event-stream; charset=utf-8\r\nx-request-id: r1\r\n"
            "transfer-encoding: chunked\r\n\r\n"
            "d\r\ndata: Hel\n\nda\r\n8\r\nta: lo\n\n\r\n0\r\n\r\n");
  EXPECT_EQ(ask("/v1/completions"),
            "HTTP/1.1 429 Too Many Requests\r\nserver: inferbench-simulator\r\n"
            "content-type: application/json\r\nx-request-id: r1\r\n"
            "transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n");
  EXPECT_THAT(ask("/v1/go"), HasSubstr("data: Hel")) << "from the first again";
  EXPECT_THAT(exchanged(server.port(), post_text("/tokenize", R"({"prompt":"ab"})")),
              HasSubstr("\"count\":2"));
  EXPECT_THAT(exchanged(server.port(), get_text("/v1/go")), HasSubstr("404"));
  EXPECT_EQ(metric(server.port(), "vllm:prefix_cache_queries_total"), -1) << "there is no cache";
}

TEST_F(replay, the_ground_truth_holds_a_planned_time_for_every_piece) {
  const std::string truth = folder_.path("truth.jsonl");
  {
    options settings;
    settings.replay = transcript(two_answers);
    settings.ground_truth = truth;
    test_server server(settings);
    exchanged(server.port(), post_text("/v1/go", "{}"), true);
  }
  const auto line = base::parse_json(base::read_file(truth), truth);
  EXPECT_EQ(base::text_of(base::find(line, "path")), "replay");
  EXPECT_EQ(base::text_of(base::find(line, "outcome")), "finished");
  EXPECT_EQ(base::find(line, "output_tokens")->GetUint(), 2U);
}

}  // namespace
}  // namespace inferbench::simulator
