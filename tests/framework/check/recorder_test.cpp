#include "check/recorder.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/text.hpp>

namespace inferbench::check {
namespace {

using ::testing::ElementsAre;

void report_done(recorder& heard, const char* reason) {
  ifb_done end = IFB_DONE_INIT;
  end.finish_reason = ifb::str(reason);
  heard.events()->on_done(heard.output(), &end);
}

TEST(recorder, writes_a_line_for_each_report) {
  recorder heard;
  const ifb_events& e = *heard.events();
  const ifb_token token{sizeof token, 0, 1, IFB_CHANNEL_REASONING, ifb::str("Hi"), 0, {}, nullptr};
  const ifb_token odd{sizeof odd, 0, 0, 9, {}, 0, {}, nullptr};
  const ifb_usage usage{sizeof usage, 0, 5, -1, 2, -1};
  e.on_token(heard.output(), &token);
  e.on_token(heard.output(), &odd);
  e.on_usage(heard.output(), &usage);
  e.on_attribute(heard.output(), ifb::str("a"), ifb::str("b"));
  report_done(heard, "stop");
  EXPECT_THAT(heard.lines(), ElementsAre("token 1 reasoning \"Hi\"", "token 0 channel 9 \"\"",
                                         "usage 5 - 2 -", "attribute a \"b\"", "done stop"));
  EXPECT_EQ(heard.ends(), 1);
  EXPECT_EQ(heard.after_end(), "");
  EXPECT_EQ(heard.odd().what, "");
}

TEST(recorder, shows_output_that_is_not_text) {
  recorder heard;
  ifb_token sound = IFB_TOKEN_INIT;
  sound.channel = IFB_CHANNEL_AUDIO;
  sound.data = ifb::bytes("RIFF");
  sound.mime = "audio/wav";
  heard.events()->on_token(heard.output(), &sound);
  const std::string long_sound(20, 'a');
  sound.data = ifb::bytes(long_sound);
  heard.events()->on_token(heard.output(), &sound);
  EXPECT_THAT(heard.lines(), ElementsAre("token 0 audio \"\" audio/wav 4 bytes 52494646",
                                         "token 0 audio \"\" audio/wav 20 bytes "
                                         "61616161616161616161616161616161..."));
  EXPECT_EQ(heard.odd().what, "");
  sound.mime = nullptr;
  heard.events()->on_token(heard.output(), &sound);
  EXPECT_EQ(heard.odd().what, "an ifb_token has `data` and no `mime`");
}

TEST(recorder, keeps_the_first_mistake_in_a_struct) {
  recorder heard;
  ifb_usage usage = IFB_USAGE_INIT;
  usage.reserved = 3;
  heard.events()->on_usage(heard.output(), &usage);
  ifb_done end = IFB_DONE_INIT;
  end.struct_size = 8;
  heard.events()->on_done(heard.output(), &end);
  EXPECT_EQ(heard.odd().what, "`reserved` in an ifb_usage is 3 instead of 0");
  EXPECT_EQ(heard.ends(), 1) << "an end is an end, whatever its struct is";
}

TEST(recorder, notices_text_that_is_not_utf8_in_every_report) {
  const std::string what = "the plugin reports text that is not UTF-8 with ";
  recorder token;
  ifb_token said = IFB_TOKEN_INIT;
  said.text = ifb::str("caf\u00e9");
  token.events()->on_token(token.output(), &said);
  EXPECT_EQ(token.odd().what, "");
  said.text = ifb::str("caf\xE9");
  token.events()->on_token(token.output(), &said);
  EXPECT_EQ(token.odd().what, what + "on_token");
  recorder attribute;
  attribute.events()->on_attribute(attribute.output(), ifb::str("a"), ifb::str("\xFF"));
  EXPECT_EQ(attribute.odd().what, what + "on_attribute");
  recorder done;
  report_done(done, "\xFF");
  EXPECT_EQ(done.odd().what, what + "on_done");
  recorder failed;
  const ifb_error error{IFB_E_IO, -1, "\xFF"};
  failed.events()->on_error(failed.output(), &error);
  EXPECT_EQ(failed.odd().what, what + "on_error");
}

TEST(recorder, excuses_text_that_is_not_utf8_if_the_server_may_have_sent_it) {
  recorder heard;
  heard.excuse_texts();
  report_done(heard, "\xFF");
  EXPECT_EQ(heard.odd().what, "");
}

TEST(recorder, knows_whether_the_request_succeeded) {
  recorder heard;
  const ifb_error error{IFB_E_IO, -1, "no"};
  heard.events()->on_error(heard.output(), &error);
  EXPECT_FALSE(heard.done());
  report_done(heard, "");
  EXPECT_TRUE(heard.done());
}

TEST(recorder, notices_reports_after_the_end) {
  recorder heard;
  const ifb_events& e = *heard.events();
  ifb_error error{IFB_E_IO, -1, "no"};
  e.on_error(heard.output(), &error);
  report_done(heard, "late");
  EXPECT_EQ(heard.ends(), 2);
  EXPECT_EQ(heard.after_end(), "done late");
  EXPECT_EQ(heard.lines().front(), "error -3 no");
}

TEST(recorder, does_not_wait_for_an_end_that_was) {
  recorder heard;
  EXPECT_FALSE(heard.wait_for_end(std::chrono::milliseconds(0)));
  report_done(heard, "");
  EXPECT_TRUE(heard.wait_for_end(std::chrono::milliseconds(0)));
}

}  // namespace
}  // namespace inferbench::check
