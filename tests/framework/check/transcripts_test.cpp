#include "check/transcripts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::check {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::StartsWith;

TEST(transcripts, of_messages_keep_their_text_and_event_name) {
  const support::temporary_folder folder;
  folder.write("a.json", R"([
    {"name": "one", "backend": "x", "event": "error", "options": {"ignore-eos": 1},
     "messages": [{"a": 1, "b": [2]}, "[DONE]"], "heard": ["done "]},
    {"name": "of another", "backend": "y", "messages": ["z"], "heard": ["done "]}])");
  const auto all = transcripts_of(folder.path(), "x");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].name, "a.json: one");
  EXPECT_THAT(all[0].messages,
              ElementsAre(Pair("error", R"({"a":1,"b":[2]})"), Pair("error", "[DONE]")));
  EXPECT_THAT(all[0].heard, ElementsAre("done "));
  EXPECT_THAT(all[0].options, ElementsAre(recorded_option{"ignore-eos", "1", true}));
  EXPECT_FALSE(all[0].bytes);
}

TEST(transcripts, of_bytes_become_an_answer_of_http) {
  const support::temporary_folder folder;
  folder.write("a.json", R"([{"name": "n", "backend": "x", "body": ["ab", "c"], "heard": ["done "]},
    {"name": "n", "backend": "x", "body": ["ab"], "framing": "length", "type": "text/plain",
     "status": "503 Busy", "headers": ["X: y"], "heard": ["done "]},
    {"name": "n", "backend": "x", "body": ["ab"], "framing": "cut", "heard": ["done "]}])");
  const auto all = transcripts_of(folder.path(), "x");
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].from.body, "abc");
  EXPECT_THAT(all[0].http, StartsWith("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream"));
  EXPECT_THAT(all[0].http, HasSubstr("\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n"));
  EXPECT_FALSE(all[0].closes);
  EXPECT_EQ(all[1].from.status, 503U);
  EXPECT_EQ(all[1].http,
            "HTTP/1.1 503 Busy\r\nContent-Type: text/plain\r\nX: y\r\nContent-Length: 2\r\n\r\nab");
  EXPECT_FALSE(all[2].from.complete);
  EXPECT_TRUE(all[2].closes);
}

TEST(transcripts, keep_trailers_and_put_them_after_the_last_chunk) {
  const support::temporary_folder folder;
  folder.write("a.json", R"([
    {"name": "n", "backend": "x", "body": ["ab"], "trailers": {"A": "1"}, "heard": ["done "]},
    {"name": "n", "backend": "x", "messages": ["ab"], "trailers": {"A": "1"}, "heard": ["done "]}])");
  const auto all = transcripts_of(folder.path(), "x");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_THAT(all[0].http, testing::EndsWith("\r\n2\r\nab\r\n0\r\nA: 1\r\n\r\n"));
  EXPECT_THAT(all[0].from.trailers, ElementsAre(Pair("A", "1")));
  EXPECT_THAT(all[1].from.trailers, ElementsAre(Pair("A", "1")));
}

TEST(transcripts, agree_with_errors_of_any_message_if_only_the_code_is_recorded) {
  EXPECT_TRUE(agrees({"events 0", "error -3 the server closed it"}, {"events 0", "error -3"}));
  EXPECT_TRUE(agrees({"failed -4 why"}, {"failed -4"}));
  EXPECT_TRUE(agrees({"error -3 why"}, {"error -3 why"}));
  EXPECT_FALSE(agrees({"error -3 why"}, {"error -3 how"}));
  EXPECT_FALSE(agrees({"error -5 why"}, {"error -3"}));
  EXPECT_FALSE(agrees({"error -3 why"}, {"failed -3"}));
  EXPECT_FALSE(agrees({"error -3 why", "usage"}, {"error -3"}));
}

TEST(transcripts, agree_whatever_blanks_end_a_line) {
  EXPECT_TRUE(agrees({"done "}, {"done"}));
  EXPECT_TRUE(agrees({"done "}, {"done "}));
  EXPECT_FALSE(agrees({"done stop"}, {"done"}));
}

TEST(transcripts, agree_on_an_early_end_only_if_it_is_recorded) {
  EXPECT_TRUE(agrees({"done stop", early_end}, {"done stop"}));
  EXPECT_TRUE(agrees({"done stop", early_end}, {"done stop", early_end}));
  EXPECT_FALSE(agrees({"done stop"}, {"done stop", early_end}));
}

TEST(transcripts, of_requests_come_from_lists_and_from_the_wire) {
  const support::temporary_folder folder;
  folder.write("a.json", R"([{"name": "n", "backend": "x", "sample": {"shape": "text"},
    "method": "PUT", "target": "/a?b", "headers": {"X-A": "1"}, "body": {"model": "m"}}])");
  folder.write("sub/wire.json", R"({"backend": "x", "flags": ["--extra-body", "{}", "--ignore-eos"],
    "samples": [{"shape": "text"}], "requests": [{"path": "/v1/x", "json": {"a": 1},
    "headers": {"x-request-id": "test-0"}}]})");
  const auto all = transcripts_of(folder.path(), "x");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].body, R"({"model": "m"})");
  EXPECT_EQ(all[0].method, "PUT");
  EXPECT_EQ(all[0].target, "/a?b");
  EXPECT_THAT(all[0].headers, ElementsAre(Pair("X-A", "1")));
  EXPECT_EQ(all[0].folder, folder.path());
  EXPECT_EQ(all[1].folder, folder.path("sub"));
  EXPECT_EQ(all[1].target, "/v1/x");
  EXPECT_EQ(all[1].sample, R"({"id": "test-0", "shape": "text"})");
  EXPECT_THAT(all[1].options, ElementsAre(recorded_option{"extra-body", "{}"},
                                          recorded_option{"ignore-eos", "true"}));
  EXPECT_FALSE(all[0].lenient);
  EXPECT_TRUE(all[1].lenient) << "flags of a run may be for other plugins";
}

TEST(transcripts, made_with_flags_of_the_host_are_passed_over) {
  const support::temporary_folder folder;
  folder.write("wire.json", R"({"backend": "x", "flags": ["--temperature", "0"],
    "samples": [{"shape": "text"}], "requests": [{"path": "/", "json": {}}]})");
  EXPECT_TRUE(transcripts_of(folder.path(), "x").empty());
}

TEST(transcripts, that_cannot_be_read_are_an_error) {
  const support::temporary_folder folder;
  EXPECT_THROW(static_cast<void>(transcripts_of(folder.path("missing"), "x")), base::error);
  folder.write("a.json", "[");
  EXPECT_THROW(static_cast<void>(transcripts_of(folder.path(), "x")), base::error);
}

TEST(transcripts, of_other_forms_are_passed_over) {
  const support::temporary_folder folder;
  folder.write("a.json", R"([1, {"backend": "y", "herd": []}, {"id": 1, "messages": []},
    {"name": "a", "template": "tgi", "messages": ["a"], "heard": ["done "]},
    {"backend": "x", "sample": {}, "code": -2, "message": "no"},
    {"backend": "x", "sample": {}, "text": "{}"}, {"sample": {}, "code": -2}])");
  folder.write("b.json", "5");
  folder.write("c.json", R"({"backend": "x", "messages": []})");
  EXPECT_TRUE(transcripts_of(folder.path(), "x").empty());
}

std::string complaint_about(const std::string& members) {
  const support::temporary_folder folder;
  folder.write("a.json", "[{" + members + "}]");
  try {
    static_cast<void>(transcripts_of(folder.path(), "x"));
  } catch (const base::error& e) {
    return e.what();
  }
  return "nothing";
}

TEST(transcripts, with_a_member_that_there_is_not_are_refused) {
  const std::string answer = R"("name": "an answer", "messages": ["a"], )";
  EXPECT_EQ(complaint_about(answer + R"("backend": "x", "herd": ["done "])"),
            "a.json: an answer: there is no member herd; did you mean heard?");
  EXPECT_EQ(
      complaint_about(R"("backend": "x", "body": ["a"], "heard": ["done "], "framming": "cut")"),
      "a.json: entry 1: there is no member framming; did you mean framing?");
  EXPECT_EQ(complaint_about(R"("backend": "x", "message": ["a"], "heard": ["done "])"),
            "a.json: entry 1: there is no member message; did you mean messages?");
  EXPECT_EQ(complaint_about(answer + R"("backnd": "x", "heard": ["done "])"),
            "a.json: an answer: there is no member backnd; did you mean backend?");
  EXPECT_THAT(complaint_about(answer + R"("heard": ["done "])"),
              HasSubstr("the recording does not name its backend"));
}

TEST(transcripts, that_are_neither_answer_nor_request_are_refused) {
  for (const char* const members :
       {R"("name": "a")", R"("heard": ["done "])", R"("messages": ["a"])", R"("body": ["a"])",
        R"("body": {}, "framing": "cut")", R"("sample": {"shape": "text"})",
        R"("sample": {}, "body": ["a"])"})
    EXPECT_THAT(complaint_about(R"("backend": "x", )" + std::string(members)),
                StartsWith("a.json: "))
        << members;
  EXPECT_THAT(complaint_about(R"("backend": "x", "messages": ["a"])"),
              HasSubstr("the recording is neither an answer nor a request; an answer needs heard"));
}

TEST(transcripts, whose_members_do_not_suit_their_form_are_refused) {
  const std::string bytes = R"("backend": "x", "body": ["a"], "heard": ["done "], )";
  EXPECT_EQ(complaint_about(bytes + R"("framing": "close")"), "nothing");
  EXPECT_EQ(complaint_about(bytes + R"("framing": "closed")"),
            "a.json: entry 1: there is no framing closed; did you mean close?");
  EXPECT_EQ(
      complaint_about(bytes + R"("trailers": {"A": "1"}, "framing": "length")"),
      "a.json: entry 1: trailers come only after a body that is chunked; leave framing out, or "
      "write chunked");
  EXPECT_EQ(complaint_about(bytes + R"("status": 503)"),
            "a.json: entry 1: status of an answer as bytes is not a text");
  EXPECT_EQ(complaint_about(bytes + R"("options": [])"),
            "a.json: entry 1: options of an answer as bytes is not an object");
  EXPECT_EQ(
      complaint_about(R"("backend": "x", "messages": ["a"], "heard": ["done "], "framing": "cut")"),
      "a.json: entry 1: framing is not a member of an answer message by message; leave it out");
  EXPECT_THAT(complaint_about(R"("backend": "x", "messages": ["a"], "heard": [])"),
              HasSubstr("heard is empty"));
  EXPECT_THAT(complaint_about(R"("backend": "x", "body": [{"a": 1}], "heard": ["done "])"),
              HasSubstr("body of an answer as bytes is not a list of texts"));
}

TEST(transcripts, name_the_backends_that_they_are_for) {
  const support::temporary_folder folder;
  EXPECT_TRUE(recorded_backends(folder.path()).empty());
  folder.write("a.json", R"([{"backend": "y", "herd": 1}, {"backend": "x"}, {"backend": "y"}, 1])");
  folder.write("b.json", R"({"backend": "z", "samples": [], "requests": []})");
  folder.write("c.json", R"({"backend": "of a report"})");
  EXPECT_THAT(recorded_backends(folder.path()), ElementsAre("x", "y", "z"));
}

}  // namespace
}  // namespace inferbench::check
