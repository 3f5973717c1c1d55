// Answers of the whole server to requests with tools.
#include <cstddef>
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
using testing::Not;

const std::string parameters = R"({"type": "object", "properties": {"city": {"type": "string"},
  "days": {"type": "integer"}}, "required": ["city", "days"]})";
const std::string chat_tools =
    R"("tools": [{"type": "function", "function": {"name": "get_weather", "parameters": )" +
    parameters + "}}]";
const std::string response_tools =
    R"("tools": [{"type": "function", "name": "get_weather", "parameters": )" + parameters + "}]";

std::string chat(const std::string& more) {
  return post_text("/v1/chat/completions",
                   R"({"messages": [{"role": "user", "content": "a"}], )" + more + "}",
                   "x-request-id: r\r\n");
}
std::string response(const std::string& more) {
  return post_text("/v1/responses", R"({"input": "a", )" + more + "}", "x-request-id: r\r\n");
}

/// The data of the events of a stream.
std::vector<std::string> events_of(const std::string& stream) {
  std::vector<std::string> out;
  for (const auto line : base::split(stream, '\n'))
    if (line.starts_with("data: {")) out.emplace_back(line.substr(6));
  return out;
}

/// The choice of an event of a chat, as text.
std::string choice_of(const std::string& event) {
  const rapidjson::Document json = base::parse_json(event, "event");
  return base::to_text(*ifb::find_path(json, "choices.0"));
}

TEST(service_tools, a_chat_is_streamed_as_a_call_with_one_event_for_each_token) {
  test_server server;
  const std::string stream =
      exchanged(server.port(), chat(chat_tools + R"(, "tool_choice": "auto", "stream": true,
                  "stream_options": {"include_usage": true})"),
                true);
  std::vector<std::string> choices;
  const std::vector<std::string> events = events_of(stream);
  for (std::size_t i = 0; i + 1 < events.size(); ++i)
    choices.push_back(choice_of(events[i]));
  const auto piece = [](const std::string& text) {
    return R"({"index": 0, "delta": {"tool_calls": [{"index": 0, "function": {"arguments": ")" +
           text + R"("}}]}, "logprobs": null, "finish_reason": null})";
  };
  EXPECT_THAT(
      choices,
      ElementsAre(
          R"({"index": 0, "delta": {"role": "assistant", "content": ""}, "logprobs": null, )"
          R"("finish_reason": null})",
          R"({"index": 0, "delta": {"tool_calls": [{"index": 0, "id": "chatcmpl-tool-r", )"
          R"("type": "function", "function": {"name": "get_weather", "arguments": ""}}]}, )"
          R"("logprobs": null, "finish_reason": null})",
          piece(R"({\")"), piece("city"), piece(R"(\":\")"), piece("tide"), piece(R"(\",\")"),
          piece("days"), piece(R"(\":)"), piece("1"),
          R"({"index": 0, "delta": {"tool_calls": [{"index": 0, "function": {"arguments": "}"}}]}, )"
          R"("logprobs": null, "finish_reason": "tool_calls", "stop_reason": null})"));
  EXPECT_THAT(events.back(), HasSubstr(R"("completion_tokens":10)"));
  EXPECT_EQ(metric(server.port(), "vllm:generation_tokens_total"), 10);
  EXPECT_EQ(metric(server.port(), "inferbench_simulator_events_total"), 10);
  EXPECT_EQ(answers(server.port(), "right"), 1);
}

TEST(service_tools, an_event_of_several_tokens_has_the_name_and_a_part_of_the_arguments) {
  options settings;
  settings.tokens_per_event = 4;
  test_server server(settings);
  const auto events =
      events_of(exchanged(server.port(), chat(chat_tools + R"(, "stream": true)"), true));
  ASSERT_EQ(events.size(), 4U);
  EXPECT_THAT(events[1], HasSubstr(R"("name":"get_weather","arguments":"{\"city\":\"")"));
  EXPECT_THAT(events[2], HasSubstr(R"([{"index":0,"function":{"arguments":"tide\",\"days\":"}}])"));
  EXPECT_THAT(events[3], HasSubstr(R"("finish_reason":"tool_calls")"));

  const std::string stream =
      exchanged(server.port(), response(response_tools + R"(, "stream": true)"), true);
  EXPECT_THAT(stream, HasSubstr(R"(data: {"delta":"{\"city\":\"","item_id":"fc_r",)"));
}

TEST(service_tools, a_whole_chat_has_the_call_in_its_message) {
  test_server server;
  const std::string answer = body_of(exchanged(server.port(), chat(chat_tools)));
  EXPECT_EQ(choice_of(answer),
            R"({"index": 0, "message": {"role": "assistant", "content": null, "tool_calls": [)"
            R"({"id": "chatcmpl-tool-r", "type": "function", "function": {"name": "get_weather", )"
            R"("arguments": "{\"city\":\"tide\",\"days\":1}"}}]}, "logprobs": null, )"
            R"("finish_reason": "tool_calls", "stop_reason": null})");
  EXPECT_THAT(answer, HasSubstr(R"("completion_tokens":10)"));
}

TEST(service_tools, a_response_is_streamed_as_an_item_of_its_own_type) {
  test_server server;
  const auto events =
      events_of(exchanged(server.port(), response(response_tools + R"(, "stream": true)"), true));
  std::vector<std::string> types;
  std::string deltas;
  std::int64_t number = 0;
  for (const std::string& each : events) {
    const rapidjson::Document event = base::parse_json(each, "event");
    types.emplace_back(base::text_of(base::find(event, "type")));
    if (types.size() > 1 && types.back() == types[types.size() - 2]) types.pop_back();
    deltas += base::text_of(base::find(event, "delta"));
    EXPECT_EQ(ifb::integer_of(base::find(event, "sequence_number")), number++);
  }
  EXPECT_THAT(
      types,
      ElementsAre("response.created", "response.in_progress", "response.output_item.added",
                  "response.function_call_arguments.delta", "response.function_call_arguments.done",
                  "response.output_item.done", "response.completed"));
  const std::string arguments = R"({"city":"tide","days":1})";
  EXPECT_EQ(deltas, arguments);
  const auto item = [](const rapidjson::Document& event, const char* at) {
    return base::to_text(*ifb::find_path(event, at));
  };
  EXPECT_EQ(item(base::parse_json(events[2], "added"), "item"),
            R"({"arguments": "", "call_id": "call_r", "name": "get_weather", )"
            R"("type": "function_call", "id": "fc_r", "status": "in_progress"})");
  const std::string done =
      R"({"arguments": "{\"city\":\"tide\",\"days\":1}", "call_id": "call_r", )"
      R"("name": "get_weather", "type": "function_call", "id": "fc_r", "status": "completed"})";
  EXPECT_EQ(item(base::parse_json(events[events.size() - 2], "done"), "item"), done);
  const rapidjson::Document last = base::parse_json(events.back(), "completed");
  EXPECT_EQ(item(last, "response.output.0"), done);
  // The event that opens the item has the token of the name.
  EXPECT_EQ(ifb::integer_of(ifb::find_path(last, "response.usage.output_tokens")), 10);
  EXPECT_EQ(types.size(), 7U);
  EXPECT_EQ(events.size(), 6U + 9U);

  const rapidjson::Document whole = base::parse_json(
      body_of(exchanged(server.port(), response(response_tools))), "whole response");
  EXPECT_EQ(item(whole, "output.0"), done);
}

TEST(service_tools, the_choice_none_and_a_structure_get_the_same_bytes_as_without_tools) {
  const auto answered = [](const std::string& request, bool streamed) {
    test_server server;
    return exchanged(server.port(), request, streamed);
  };
  for (const std::string more : {R"("stream": true)", R"("stream": false)"}) {
    const bool streamed = more.ends_with("true");
    EXPECT_EQ(answered(chat(chat_tools + R"(, "tool_choice": "none", )" + more), streamed),
              answered(chat(more), streamed));
    EXPECT_EQ(answered(response(response_tools + R"(, "tool_choice": "none", )" + more), streamed),
              answered(response(more), streamed));
    EXPECT_EQ(answered(chat(R"("tools": [], )" + more), streamed), answered(chat(more), streamed));
    const std::string choice = R"("guided_choice": ["x"], )" + more;
    EXPECT_EQ(answered(chat(chat_tools + ", " + choice), streamed),
              answered(chat(choice), streamed));
  }
}

TEST(service_tools, max_tokens_cuts_the_call) {
  test_server server;
  const std::string answer = exchanged(server.port(), chat(chat_tools + R"(, "max_tokens": 4)"));
  EXPECT_THAT(answer, HasSubstr(R"("arguments":"{\"city\":\"")"));
  EXPECT_THAT(answer, HasSubstr(R"("finish_reason":"length")"));
  EXPECT_EQ(answers(server.port(), "limited"), 1);
  EXPECT_THAT(exchanged(server.port(), chat(chat_tools + R"(, "max_tokens": 1)")),
              HasSubstr(R"("name":"get_weather","arguments":"")"));
  const std::string cut =
      exchanged(server.port(), response(response_tools + R"(, "max_output_tokens": 1)"));
  EXPECT_THAT(cut, HasSubstr(R"("status":"incomplete")"));
  EXPECT_THAT(cut, HasSubstr(R"("arguments":"","call_id":"call_r")"));
}

TEST(service_tools, ignore_eos_does_not_make_the_call_longer) {
  test_server server;
  EXPECT_THAT(
      exchanged(server.port(), chat(chat_tools + R"(, "max_tokens": 100, "ignore_eos": true)")),
      HasSubstr(R"("completion_tokens":10)"));
}

TEST(service_tools, the_given_share_of_the_calls_is_wrong) {
  options settings;
  settings.wrong_structure = 0.5;
  test_server server(settings);
  std::vector<std::string> all;
  for (int i = 0; i < 4; ++i) {
    const std::string body = body_of(exchanged(server.port(), chat(chat_tools)));
    const rapidjson::Document answer = base::parse_json(body, "answer");
    const auto* function = ifb::find_path(answer, "choices.0.message.tool_calls.0.function");
    ASSERT_NE(function, nullptr) << body;
    all.push_back(std::string(base::text_of(base::find(*function, "name"))) +
                  std::string(base::text_of(base::find(*function, "arguments"))));
  }
  const std::string right = R"(get_weather{"city":"tide","days":1})";
  EXPECT_THAT(
      all, ElementsAre(right, R"(no_such_tool{"city":"tide","days":1})", right, "get_weather{}"));
  EXPECT_EQ(answers(server.port(), "right"), 2);
  EXPECT_EQ(answers(server.port(), "wrong"), 2);
}

TEST(service_tools, a_tool_whose_arguments_cannot_be_made_gets_words_and_no_memory_stays) {
  options settings;
  settings.wrong_structure = 1;
  test_server server(settings);
  const std::string far =
      R"("tools": [{"function": {"name": "f", "parameters": {"$ref": "http://[::1]/s"}}}])";
  EXPECT_THAT(exchanged(server.port(), chat(chat_tools)), HasSubstr("no_such_tool"));
  const std::string answer = exchanged(server.port(), chat(far));
  EXPECT_THAT(answer, HasSubstr(R"("content":" )"));
  EXPECT_THAT(answer, Not(HasSubstr("tool")));
  EXPECT_EQ(answers(server.port(), "unsupported"), 1);
  EXPECT_EQ(answers(server.port(), "wrong"), 1);
}

TEST(service_tools, hostile_tools_are_refused_or_escaped) {
  test_server server;
  for (const char* const bad : {R"("tools": 5)", R"("tools": {"name": "f"})",
                                R"("tools": [{"type": "function", "function": {}}])"}) {
    const std::string answer = exchanged(server.port(), chat(bad));
    EXPECT_THAT(answer, HasSubstr("HTTP/1.1 400 ")) << bad;
    EXPECT_THAT(answer, HasSubstr(R"("param":"tools)")) << bad;
  }
  const std::string name = R"(a\"b\u0000\n)";
  const std::string odd = R"("tools": [{"function": {"name": ")" + name + "\"}}]";
  const rapidjson::Document answer =
      base::parse_json(body_of(exchanged(server.port(), chat(odd))), "answer");
  EXPECT_EQ(base::text_of(ifb::find_path(answer, "choices.0.message.tool_calls.0.function.name")),
            std::string_view("a\"b\0\n", 5));
  const std::string stream = exchanged(server.port(), chat(odd + R"(, "stream": true)"), true);
  EXPECT_EQ(events_of(stream).size(), 3U);
  for (const std::string& each : events_of(stream))
    EXPECT_NO_THROW((void)base::parse_json(each, "event"));
}

TEST(service_tools, a_completion_has_no_tools) {
  test_server server;
  EXPECT_THAT(
      exchanged(server.port(), post_text("/v1/completions", R"({"prompt": "a", "tools": 5})")),
      HasSubstr("HTTP/1.1 200 "));
}

}  // namespace
}  // namespace inferbench::simulator
