// Answers of the whole server to requests that demand a structure.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.hpp"
#include "base/text.hpp"
#include "framework/simulator/raw_client.hpp"
#include "simulator/service.hpp"

namespace inferbench::simulator {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* person = R"("structured_outputs": {"json": {"type": "object", "properties":
  {"name": {"type": "string"}, "level": {"type": "integer"}}, "required": ["name", "level"]}})";
constexpr const char* right_person = R"({"name":"tide","level":1})";

std::string completion(const std::string& more) {
  return post_text("/v1/completions", R"({"prompt": "a", "max_tokens": 100, )" + more + "}");
}

std::string text_of_completion(std::uint16_t port, const std::string& more) {
  const std::string body = body_of(exchanged(port, completion(more)));
  const rapidjson::Document answer = base::parse_json(body, "answer");
  const base::json_value* choices = base::find(answer, "choices");
  return choices == nullptr ? body : std::string(base::text_of(base::find((*choices)[0], "text")));
}

/// The texts of the events of a stream, one after the other.
std::vector<std::string> pieces_of_stream(const std::string& stream) {
  std::vector<std::string> out;
  for (const auto line : base::split(stream, '\n')) {
    if (!line.starts_with("data: {")) continue;
    const rapidjson::Document event = base::parse_json(line.substr(6), "event");
    const base::json_value* choices = base::find(event, "choices");
    if (choices == nullptr || choices->Empty()) continue;
    if (const base::json_value* text = base::find((*choices)[0], "text"))
      out.emplace_back(base::text_of(text));
    else
      out.emplace_back(base::text_of(base::find(base::find((*choices)[0], "delta"), "content")));
  }
  return out;
}

TEST(service_structures, an_answer_has_the_demanded_structure) {
  test_server server;
  const auto port = server.port();
  EXPECT_EQ(text_of_completion(port, person), right_person);
  EXPECT_EQ(text_of_completion(port, R"("guided_choice": ["Positive", "Negative"])"), "Positive");
  EXPECT_EQ(text_of_completion(port, R"("structured_outputs": {"regex": "\\w+@\\w+\\.com\\n"})"),
            "tide@tide.com\n");
  EXPECT_EQ(answers(port, "right"), 3);
}

TEST(service_structures, a_stream_has_an_event_for_each_token) {
  test_server server;
  const std::string more = std::string(person) + R"(, "stream": true, "stream_options":
    {"include_usage": true})";
  const std::string stream = exchanged(server.port(), completion(more), true);
  EXPECT_THAT(pieces_of_stream(stream),
              ElementsAre("{\"", "name", "\":\"", "tide", "\",\"", "level", "\":", "1", "}"));
  EXPECT_THAT(stream, HasSubstr("\"completion_tokens\":9"));
  EXPECT_THAT(stream, HasSubstr("\"finish_reason\":\"stop\""));
}

TEST(service_structures, chats_and_responses_have_the_structure_too) {
  test_server server;
  const auto port = server.port();
  const std::string chat = R"({"messages": [{"role": "user", "content": "a"}], "response_format":
    {"type": "json_schema", "json_schema": {"schema": {"type": "boolean"}}}})";
  EXPECT_THAT(exchanged(port, post_text("/v1/chat/completions", chat)),
              HasSubstr(R"("content":"true")"));
  const std::string response = R"({"input": "a", "guided_choice": ["a \"b\""], "stream": true})";
  const std::string stream = exchanged(port, post_text("/v1/responses", response), true);
  EXPECT_THAT(stream, HasSubstr(R"("delta":"a",)"));
  EXPECT_THAT(stream, HasSubstr(R"("text":"a \"b\"",)"));
}

TEST(service_structures, ignore_eos_and_min_tokens_do_not_make_the_answer_longer) {
  test_server server;
  EXPECT_EQ(text_of_completion(server.port(),
                               std::string(person) + R"(, "ignore_eos": true, "min_tokens": 50)"),
            right_person);
}

TEST(service_structures, max_tokens_cuts_the_answer) {
  test_server server;
  const std::string answer =
      exchanged(server.port(), post_text("/v1/completions", R"({"prompt": "a", "max_tokens": 4, )" +
                                                                std::string(person) + "}"));
  EXPECT_THAT(answer, HasSubstr(R"("text":"{\"name\":\"tide")"));
  EXPECT_THAT(answer, HasSubstr(R"("finish_reason":"length")"));
  EXPECT_EQ(answers(server.port(), "limited"), 1);
  EXPECT_EQ(answers(server.port(), "right"), 0);
}

TEST(service_structures, the_given_share_of_the_answers_is_wrong) {
  options settings;
  settings.wrong_structure = 0.5;
  test_server server(settings);
  std::vector<std::string> all;
  for (int i = 0; i < 4; ++i)
    all.push_back(text_of_completion(server.port(), person));
  EXPECT_THAT(all, ElementsAre(right_person, R"({"name":"tide","level":1)", right_person, "{}"));
  EXPECT_EQ(answers(server.port(), "right"), 2);
  EXPECT_EQ(answers(server.port(), "wrong"), 2);
}

TEST(service_structures, a_request_without_a_structure_is_never_wrong) {
  options settings;
  settings.wrong_structure = 1;
  test_server server(settings);
  const std::string ordinary = text_of_completion(server.port(), R"("seed": 1)");
  EXPECT_THAT(ordinary, testing::StartsWith(" "));
  EXPECT_EQ(answers(server.port(), "wrong"), 0);
  // The same connection's memory is used again: no text of another answer stays.
  EXPECT_EQ(text_of_completion(server.port(), R"("guided_choice": ["x"])"), "neither");
  EXPECT_THAT(text_of_completion(server.port(), R"("seed": 1)"), testing::StartsWith(" "));
}

TEST(service_structures, a_structure_that_cannot_be_made_gets_words) {
  test_server server;
  EXPECT_THAT(text_of_completion(server.port(), R"("guided_grammar": "root ::= \"a\"")"),
              testing::StartsWith(" "));
  EXPECT_THAT(text_of_completion(server.port(), R"("guided_json": {"$ref": "http://[::1]/s"})"),
              testing::StartsWith(" "));
  EXPECT_EQ(answers(server.port(), "unsupported"), 2);
}

TEST(service_structures, a_wrong_structure_is_refused) {
  test_server server;
  const std::string answer =
      exchanged(server.port(), completion(R"("structured_outputs": {"choice": []})"));
  EXPECT_THAT(answer, HasSubstr("HTTP/1.1 400 "));
  EXPECT_THAT(answer, HasSubstr(R"("param":"structured_outputs.choice")"));
}

}  // namespace
}  // namespace inferbench::simulator
