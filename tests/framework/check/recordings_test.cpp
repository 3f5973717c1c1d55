// Recorded exchanges that a user passes to the test kit.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/check/program.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::check {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(plugin_check, compares_exchanges_with_their_recordings) {
  const support::temporary_folder folder;
  folder.write("good.json", R"([{"name": "two", "backend": "right", "messages": ["a", "b"],
    "heard": ["token 0 answer \"a\"", "token 0 answer \"b\"", "done stop"]},
    {"name": "as bytes", "backend": "right", "body": ["data: a\n\n", "data: b\n\n"],
     "heard": ["events 2", "text \"ab\"", "usage - - - -", "done stop"]}])");
  const std::string with = wrong("backend_nothing") + " --only codec --transcripts ";
  const ended good = run(with + folder.quoted());
  EXPECT_EQ(good.status, 0) << good.output;
  EXPECT_THAT(good.output, HasSubstr("2 recorded answers"));
  folder.write("good.json", R"([{"name": "two", "backend": "right", "messages": ["a"],
    "heard": ["done "]}, {"name": "body", "backend": "right", "sample": {"shape": "text",
    "prompt": ["x"]}, "body": {"model": "m"}}])");
  const ended bad = run(with + folder.quoted());
  EXPECT_EQ(bad.status, 1);
  EXPECT_THAT(bad.output,
              HasSubstr("good.json: two: heard token 0 answer \"a\" | done stop instead of done "));
  EXPECT_THAT(bad.output, HasSubstr("codec-request"));
  EXPECT_EQ(run(with + folder.quoted("missing")).status, 2);
}

TEST(plugin_check, compares_method_target_and_headers_of_a_recorded_request) {
  const support::temporary_folder folder;
  const std::string with =
      wrong("backend_nothing") + " --only codec-request --transcripts " + folder.quoted();
  const auto verdict = [&](const std::string& members) {
    folder.write("a.json", R"([{"name": "r", "backend": "right", "sample": {"shape": "text",
      "prompt": ["x"]}, )" + members +
                               R"(, "body": {"model": "m", "prompt": "x"}}])");
    return run(with).output;
  };
  const std::string right =
      verdict(R"("method": "POST", "target": "/go", "headers": {"x-model": "m"})");
  EXPECT_THAT(right, Not(HasSubstr(" instead of ")));
  EXPECT_THAT(verdict(R"("method": "PUT")"),
              HasSubstr("a.json: r: the method is POST instead of PUT"));
  EXPECT_THAT(verdict(R"("target": "/stop")"),
              HasSubstr("a.json: r: the target is /go instead of /stop"));
  EXPECT_THAT(verdict(R"("headers": {"X-Model": "n"})"),
              HasSubstr("a.json: r: the header X-Model is \"m\" instead of \"n\""));
  EXPECT_THAT(verdict(R"("headers": {"X-Other": "n"})"),
              HasSubstr("a.json: r: the request has no header X-Other"));
}

TEST(plugin_check, takes_recorded_answers_as_raw_material_with_their_options) {
  const support::temporary_folder folder;
  const std::string with =
      wrong("backend_other-model") + " --only codec-events --transcripts " + folder.quoted();
  folder.write("a.json", R"([{"name": "plain", "backend": "right", "messages": ["a"],
    "heard": ["token 0 answer \"a\"", "done stop"]}])");
  EXPECT_EQ(run(with).status, 0);
  folder.write("b.json", R"([{"name": "other", "backend": "right", "options": {"model": "other"},
    "sample": {"shape": "texts", "prompt": ["a", "b"]}, "messages": ["a"], "heard": ["done "]}])");
  const ended e = run(with);
  EXPECT_EQ(e.status, 1);
  EXPECT_THAT(e.output, HasSubstr("the end of an answer is reported 2 times"));
}

TEST(plugin_check, warns_of_a_codec_that_reads_no_answer_to_its_end) {
  const support::temporary_folder folder;
  const std::string alone = wrong("backend_protocol") + " --only codec-events";
  const ended e = run(alone);
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_THAT(e.output, HasSubstr("warning: no answer ended with on_done"));
  EXPECT_THAT(e.output, HasSubstr("0 passed, 1 warned, 0 failed"));
  folder.write("a.json", R"([{"name": "one", "backend": "right", "messages": ["a"],
    "heard": ["token 0 answer \"a\"", "done stop"]}])");
  EXPECT_THAT(run(alone + " --transcripts " + folder.quoted()).output,
              HasSubstr("1 passed, 0 warned, 0 failed"));
}

TEST(plugin_check, names_the_recording_of_an_answer_without_an_end) {
  const support::temporary_folder folder;
  const std::string with =
      wrong("backend_no-end") + " --only codec-events --transcripts " + folder.quoted();
  const auto record = [&](const std::string& last) {
    folder.write("a.json", R"([{"name": "one", "backend": "right", "messages": ["a"],
      "heard": ["token 0 answer \"a\"", ")" +
                               last + "\"]}]");
  };
  const std::string silent =
      "on_end was called, but neither on_done nor on_error was called for the answer";
  record("done stop");
  const ended e = run(with);
  EXPECT_THAT(e.output, HasSubstr(silent + " (a.json: one)\n"));
  EXPECT_THAT(e.output, Not(HasSubstr("give recorded answers")));
  record("error -4");
  EXPECT_THAT(run(with).output, Not(HasSubstr(silent)));
  EXPECT_THAT(run(wrong("backend_no-end") + " --only codec-events").output,
              HasSubstr("give recorded answers (--transcripts)"));
}

TEST(plugin_check, says_where_a_recording_cannot_be_set_up) {
  const support::temporary_folder folder;
  folder.write("a.json", R"([{"name": "long", "backend": "right", "options": {"model": "refused"},
    "messages": ["a"], "heard": ["done stop"]}])");
  const ended e =
      run(wrong("backend_other-model") + " --only codec --transcripts " + folder.quoted());
  EXPECT_EQ(e.status, 1);
  EXPECT_THAT(e.output, HasSubstr("a.json: long: create refuses: IFB_E_CONFIG: no such model"));
}

TEST(plugin_check, checks_every_recording_and_refuses_invalid_recordings) {
  const support::temporary_folder folder;
  folder.write("a.json", R"([
    {"name": "bad", "backend": "right", "options": {"count": "abc"}, "messages": ["a"],
     "heard": ["done stop"]},
    {"name": "unknown", "backend": "right", "options": {"cuont": 1}, "messages": ["a"],
     "heard": ["done stop"]},
    {"name": "other", "backend": "right", "messages": ["a"], "heard": ["done stop"]},
    {"name": "request", "backend": "right", "options": {"count": "abc"},
     "sample": {"shape": "text", "prompt": ["x"]}, "body": {}}])");
  const std::string with =
      wrong("backend_counts") + " --transcripts " + folder.quoted() + " --only ";
  const ended e = run(with + "codec-transcripts");
  EXPECT_EQ(e.status, 1);
  EXPECT_THAT(e.output, HasSubstr("a.json: bad: backend.count: "));
  EXPECT_THAT(e.output, HasSubstr("a.json: unknown: there is no option cuont"));
  EXPECT_THAT(e.output, HasSubstr("a.json: other: heard token 0 answer \"a\" | done stop"));
  const ended request = run(with + "codec-request");
  EXPECT_EQ(request.status, 1);
  EXPECT_THAT(request.output, HasSubstr("a.json: request: backend.count: "));
}

TEST(plugin_check, fails_once_where_a_recording_is_not_understood) {
  const support::temporary_folder folder;
  folder.write("acme.json", R"([{"name": "an answer", "backend": "right", "messages": ["a"],
    "herd": ["done stop"]}])");
  const ended e = run(wrong("backend_nothing") + " --only codec --transcripts " + folder.quoted());
  EXPECT_EQ(e.status, 1);
  EXPECT_THAT(e.output, HasSubstr("1 passed, 0 warned, 1 failed, 0 crashed, 7 skipped"));
  EXPECT_THAT(e.output,
              HasSubstr("acme.json: an answer: there is no member herd; did you mean heard?"));
  EXPECT_THAT(e.output, HasSubstr("see the test codec-transcripts"));
}

TEST(plugin_check, fails_if_all_recordings_are_for_other_backends) {
  const support::temporary_folder folder;
  const std::string with =
      wrong("backend_nothing") + " --only codec-transcripts --transcripts " + folder.quoted();
  const ended none = run(with);
  EXPECT_EQ(none.status, 1);
  EXPECT_THAT(none.output, HasSubstr("there is no recorded exchange below "));
  const auto of = [](const std::string& id) {
    return R"([{"name": "one", "backend": ")" + id +
           R"(", "messages": ["a"], "heard": ["token 0 answer \"a\"", "done stop"]}])";
  };
  folder.write("a.json", of("rihgt"));
  const ended near = run(with);
  EXPECT_EQ(near.status, 1);
  EXPECT_THAT(near.output, HasSubstr("no recording is for backend right, only for rihgt"));
  EXPECT_THAT(near.output, HasSubstr("did you mean right where backend is rihgt?"));
  folder.write("a.json", of("another"));
  EXPECT_EQ(run(with).status, 1);
  // Some exchanges are for another plugin.
  folder.write("b.json", of("right"));
  EXPECT_THAT(run(with).output, HasSubstr("1 passed"));
  folder.write("a.json", of("rihgt"));
  const ended some = run(with);
  EXPECT_EQ(some.status, 0);
  EXPECT_THAT(some.output, HasSubstr("no test looks at the recorded exchanges of backend rihgt"));
}

TEST(plugin_check, skips_where_recordings_are_for_another_plugin_of_the_library) {
  const support::temporary_folder folder;
  const std::string with =
      wrong("backend_two") + " --only codec-transcripts --transcripts " + folder.quoted();
  folder.write("a.json", R"([{"backend": "right", "messages": ["a"],
    "heard": ["token 0 answer \"a\"", "done stop"]}])");
  const ended e = run(with);
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_THAT(e.output, HasSubstr("1 passed, 0 warned, 0 failed, 0 crashed, 1 skipped"));
  folder.write("b.json",
               R"([{"backend": "right-caht", "messages": ["a"], "heard": ["done stop"]}])");
  const ended misspelt = run(with);
  EXPECT_EQ(misspelt.status, 1);
  EXPECT_THAT(misspelt.output,
              HasSubstr("no recording is for backend right-chat, only for right, right-caht"));
}

TEST(plugin_check, refuses_a_recorded_number_for_a_text) {
  const support::temporary_folder folder;
  folder.write("a.json", R"([
    {"name": "number", "backend": "right", "options": {"model": 3}, "messages": ["a"],
     "heard": ["token 0 answer \"a\"", "done stop"]},
    {"name": "switch", "backend": "right", "options": {"model": true}, "messages": ["a"],
     "heard": ["token 0 answer \"a\"", "done stop"]},
    {"name": "text", "backend": "right", "options": {"model": "3"}, "messages": ["a"],
     "heard": ["token 0 answer \"a\"", "done stop"]}])");
  const ended e =
      run(wrong("backend_nothing") + " --only codec-transcripts --transcripts " + folder.quoted());
  EXPECT_EQ(e.status, 1);
  EXPECT_THAT(e.output, HasSubstr("a.json: number: backend.model: expected a text, not 3"));
  EXPECT_THAT(e.output, HasSubstr("a.json: switch: backend.model: expected a text, not true"));
  EXPECT_THAT(e.output, Not(HasSubstr("a.json: text: ")));
}

TEST(plugin_check, tests_a_plugin_that_only_recordings_set_up) {
  const support::temporary_folder folder;
  folder.write("a.json", R"([{"name": "one", "backend": "right", "options": {"file": "a.json"},
    "messages": ["a"], "heard": ["token 0 answer \"a\"", "done stop"]}])");
  const std::string with =
      wrong("backend_needs-file") + " --only codec --transcripts " + folder.quoted();
  const ended e = run(with);
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_THAT(e.output, HasSubstr("6 passed, 0 warned, 0 failed, 0 crashed, 3 skipped"));
  EXPECT_THAT(e.output, HasSubstr("skipped  codec-request      option file is required"));
  folder.write("b.json", R"([{"name": "two", "backend": "right", "messages": ["a"],
    "heard": ["token 0 answer \"a\"", "done stop"]}])");
  EXPECT_THAT(run(with).output,
              HasSubstr("1 recorded exchanges are not looked at: option file is required"));
}

TEST(plugin_check, lets_an_error_without_a_message_agree_with_any_message) {
  const support::temporary_folder folder;
  const std::string with =
      wrong("backend_nothing") + " --only codec-transcripts --transcripts " + folder.quoted();
  const auto recording = [](const std::string& line) {
    return R"([{"name": "cut", "backend": "right", "framing": "cut", "body": ["data: a\n\n"],
      "heard": ["events 1", "text \"a\"", "usage - - - -", ")" +
           line + R"("]}])";
  };
  folder.write("a.json", recording("error -3"));
  EXPECT_EQ(run(with).status, 0) << run(with).output;
  folder.write("a.json", recording("error -4"));
  EXPECT_EQ(run(with).status, 1);
  folder.write("a.json", recording("error -3 another reason"));
  EXPECT_EQ(run(with).status, 1);
}

TEST(plugin_check, gives_trailers_to_the_codec) {
  const support::temporary_folder folder;
  folder.write("a.json", R"([{"name": "bytes", "backend": "right", "body": ["data: a\n\n"],
    "trailers": {"X-Cost": "5"},
    "heard": ["events 1", "text \"a\"", "usage - - - -", "X-Cost 5", "done stop"]},
    {"name": "messages", "backend": "right", "messages": ["a"], "trailers": {"X-Cost": "5"},
    "heard": ["token 0 answer \"a\"", "attribute X-Cost \"5\"", "done stop"]}])");
  const ended e = run(wrong("backend_trailers") + " --only codec --transcripts " + folder.quoted());
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_THAT(e.output, HasSubstr("2 recorded answers"));
}

TEST(plugin_check, compares_the_early_end_of_an_answer_if_it_was_recorded) {
  const support::temporary_folder folder;
  const std::string recording = R"([{"name": "one", "backend": "right", "messages": ["a", "b"],
    "heard": ["token 0 answer \"a\"", "done stop", "end early"]}])";
  folder.write("a.json", recording);
  const std::string with = " --only codec-transcripts --transcripts " + folder.quoted();
  EXPECT_EQ(run(wrong("backend_ends-early") + with).status, 0);
  const ended e = run(wrong("backend_nothing") + with);
  EXPECT_EQ(e.status, 1);
  EXPECT_THAT(e.output, HasSubstr("token 0 answer \"b\" | done stop instead of "));
}

TEST(plugin_check, signs_the_requests_of_recorded_answers) {
  const support::temporary_folder folder;
  folder.write("a.json", R"([{"name": "bytes", "backend": "right", "body": ["data: a\n\n"],
    "heard": ["events 1", "text \"a\"", "usage - - - -", "done stop"]}])");
  const ended e = run(wrong("backend_signs") + " --only codec --transcripts " + folder.quoted());
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_THAT(e.output, HasSubstr("passed   codec-sign"));
}

TEST(plugin_check, frames_recorded_messages_as_the_codec_wants_them) {
  const support::temporary_folder folder;
  folder.write("a.json", R"([{"name": "one", "backend": "right", "messages": ["recorded", "b"],
    "heard": ["done stop"]}])");
  const ended e =
      run(wrong("backend_lines") + " --only codec-events --transcripts " + folder.quoted());
  EXPECT_EQ(e.status, 1) << e.output;
  EXPECT_THAT(e.output, HasSubstr("the end of an answer is reported 2 times"));
}

}  // namespace
}  // namespace inferbench::check
