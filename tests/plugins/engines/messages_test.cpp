#include "engines/python-engine/messages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine_host.hpp"
#include "frames_of_worker.hpp"

namespace python_engine {
namespace {

using engine_test::frame_of;
using engine_test::little;
using engine_test::message_of;
using testing::ElementsAre;

std::string welcome_refusal(const std::string& json) {
  return message_of([&] { static_cast<void>(read_welcome(frame_of(frame_kind::welcome, json))); });
}
std::string ready_refusal(const std::string& json) {
  return message_of([&] { static_cast<void>(read_ready(frame_of(frame_kind::ready, json))); });
}

TEST(messages, of_a_worker_are_read) {
  const welcome_message welcome = read_welcome(frame_of(
      frame_kind::welcome,
      R"({"protocol":1,"worker":"w 1","pid":3,"adapter":"a","more":[1],"python":"3.11"})"));
  EXPECT_EQ(welcome.worker, "w 1");
  EXPECT_EQ(welcome.python, "3.11");
  EXPECT_EQ(welcome.engine, "");

  const ready_message ready = read_ready(
      frame_of(frame_kind::ready,
               R"({"load_ns":9007199254740993,"max_adapters":null,"capabilities":["chat","fly"],)"
               R"("measures":[{"name":"compilation","value":2,"began_ns":5,"ended_ns":9}]})"));
  EXPECT_EQ(ready.load_ns, 9007199254740993U) << "a duration or stamp may have 63 bits";
  EXPECT_EQ(ready.max_model_len, -1);
  EXPECT_TRUE(ready.can("chat"));
  EXPECT_FALSE(ready.can("generate"));
  ASSERT_EQ(ready.measures.size(), 1U);
  EXPECT_EQ(ready.measures[0].unit, "s");
  EXPECT_EQ(ready.measures[0].ended_ns, 9U);
  EXPECT_THAT(read_ready(frame_of(frame_kind::ready, R"({"load_ns":0})")).capabilities,
              ElementsAre("generate"));
}

TEST(messages, with_a_fault_are_refused_with_the_names_of_frame_and_field) {
  EXPECT_EQ(welcome_refusal("{}"), "frame 7 (welcome): protocol: missing");
  EXPECT_EQ(welcome_refusal(R"({"protocol":2})"),
            "frame 7 (welcome): protocol: the worker speaks version 2 of the protocol, and this "
            "plugin version 1");
  EXPECT_EQ(welcome_refusal(R"({"protocol":1,"pid":1.0})"),
            "frame 7 (welcome): pid: not an integer");
  EXPECT_EQ(welcome_refusal(R"({"protocol":1,"pid":0})"), "frame 7 (welcome): pid: less than 1");
  EXPECT_EQ(welcome_refusal(R"({"protocol":1,"pid":9007199254740992})"),
            "frame 7 (welcome): pid: greater than 9007199254740991");
  EXPECT_EQ(welcome_refusal(R"({"protocol":1,"pid":18446744073709551615})"),
            "frame 7 (welcome): pid: greater than 9007199254740991");
  EXPECT_EQ(welcome_refusal(R"({"protocol":1,"pid":1,"worker":null})"),
            "frame 7 (welcome): worker: not a string");
  EXPECT_EQ(ready_refusal(R"({"load_ns":-1})"), "frame 7 (ready): load_ns: less than 0");
  EXPECT_EQ(ready_refusal(R"({"load_ns":1,"capabilities":"chat"})"),
            "frame 7 (ready): capabilities: not a list");
  EXPECT_EQ(ready_refusal(R"({"load_ns":1,"capabilities":["chat",3]})"),
            "frame 7 (ready): capabilities[1]: not a string");
  EXPECT_EQ(ready_refusal(R"({"load_ns":1,"measures":[{"name":"a","value":1},{"name":"b"}]})"),
            "frame 7 (ready): measures[1].value: missing");
  EXPECT_EQ(ready_refusal(R"({"load_ns":1,"measures":[3]})"),
            "frame 7 (ready): measures[0]: not an object");
  EXPECT_EQ(ready_refusal(R"({"load_ns":1,"measures":[{"name":"a","unit":"ms","value":1}]})"),
            "frame 7 (ready): measures[0].unit: neither \"s\" nor \"1\"");
  EXPECT_EQ(ready_refusal(
                R"({"load_ns":1,"measures":[{"name":"a","value":1,"began_ns":5,"ended_ns":4}]})"),
            "frame 7 (ready): measures[0].ended_ns: before began_ns");
}

TEST(messages, that_are_no_json_object_of_the_protocol_are_refused) {
  EXPECT_EQ(welcome_refusal(""),
            "frame 7 (welcome): malformed JSON at line 1, column 1: The document is empty");
  EXPECT_EQ(welcome_refusal("[1]"), "frame 7 (welcome): not a JSON object");
  EXPECT_EQ(welcome_refusal("\xEF\xBB\xBF{}"),
            "frame 7 (welcome): the JSON begins with a byte order mark");
  EXPECT_EQ(welcome_refusal("{\"a\":\"\xFF\"}"),
            "frame 7 (welcome): malformed JSON at line 1, column 7: Invalid encoding in string");
  EXPECT_EQ(welcome_refusal("{\"a\":NaN}"),
            "frame 7 (welcome): malformed JSON at line 1, column 6: Invalid value");
  EXPECT_EQ(welcome_refusal(R"({"a":[{"b":1,"c":2,"b":3}]})"),
            "frame 7 (welcome): the key \"b\" comes twice in one object");
  const std::string levels = "{\"a\":" + std::string(64, '[') + std::string(64, ']') + "}";
  EXPECT_EQ(welcome_refusal(levels), "frame 7 (welcome): the JSON has more than 64 levels");
  const std::string text = "{\"a\":\"" + std::string(70, '[') + "\\\"\"}";
  EXPECT_EQ(welcome_refusal(text), "frame 7 (welcome): protocol: missing") << "brackets in a text";
  EXPECT_EQ(welcome_refusal(std::string(10'000'000, '[')),
            "frame 7 (welcome): the JSON has more than 64 levels");
}

TEST(messages, of_log_progress_error_and_pong_are_checked) {
  const auto log = [](std::string json) { return read_log(frame_of(frame_kind::log, json)); };
  EXPECT_EQ(log(R"({"level":"warning","text":"t"})").level, 3U);
  EXPECT_EQ(message_of([&] { log(R"({"level":"loud","text":"t"})"); }),
            "frame 7 (log): level: not debug, info, warning or error");
  const auto progress = [](std::string json) {
    return read_progress(frame_of(frame_kind::progress, json));
  };
  EXPECT_EQ(progress(R"({"done":1,"of":2})").of, 2U);
  EXPECT_EQ(message_of([&] { progress(R"({"done":3,"of":2})"); }),
            "frame 7 (progress): done: greater than 2");
  const auto error = [](std::string json) { return read_error(frame_of(frame_kind::error, json)); };
  EXPECT_TRUE(error(R"({"kind":"run","text":"t"})").fatal);
  EXPECT_EQ(message_of([&] { error(R"({"kind":"bad","text":"t"})"); }),
            "frame 7 (error): kind: \"bad\" is none of the protocol's kinds");
  EXPECT_EQ(message_of([&] { error(R"({"kind":"run","text":"t","fatal":1})"); }),
            "frame 7 (error): fatal: not true or false");
  EXPECT_EQ(read_pong(frame_of(frame_kind::pong, little(5, 8) + little(9, 8))).worker_ns, 9U);
  EXPECT_EQ(message_of([] { static_cast<void>(read_pong(frame_of(frame_kind::pong, "123"))); }),
            "frame 7 (pong): 3 bytes of payload instead of 16");
}

}  // namespace
}  // namespace python_engine
