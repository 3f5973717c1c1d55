#include "check/recorder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/text.hpp>

namespace inferbench::check {
namespace {

using ::testing::ElementsAre;

TEST(recorder, writes_a_line_for_each_report) {
  recorder heard;
  const ifb_events& e = *heard.events();
  const ifb_token token{sizeof token, 0, 1, IFB_CHANNEL_REASONING, ifb::str("Hi"), 0};
  const ifb_token odd{sizeof odd, 0, 0, 9, {}, 0};
  const ifb_usage usage{sizeof usage, 0, 5, -1, 2, -1};
  e.on_token(heard.output(), &token);
  e.on_token(heard.output(), &odd);
  e.on_usage(heard.output(), &usage);
  e.on_attribute(heard.output(), ifb::str("a"), ifb::str("b"));
  e.on_done(heard.output(), ifb::str("stop"));
  EXPECT_THAT(heard.lines(), ElementsAre("token 1 reasoning \"Hi\"", "token 0 channel 9 \"\"",
                                         "usage 5 - 2 -", "attribute a \"b\"", "done stop"));
  EXPECT_EQ(heard.ends(), 1);
  EXPECT_EQ(heard.after_end(), "");
}

TEST(recorder, notices_reports_after_the_end) {
  recorder heard;
  const ifb_events& e = *heard.events();
  ifb_error error{IFB_E_IO, -1, "no"};
  e.on_error(heard.output(), &error);
  e.on_done(heard.output(), ifb::str("late"));
  EXPECT_EQ(heard.ends(), 2);
  EXPECT_EQ(heard.after_end(), "done late");
  EXPECT_EQ(heard.lines().front(), "error -3 no");
}

TEST(recorder, does_not_wait_for_an_end_that_was) {
  recorder heard;
  EXPECT_FALSE(heard.wait_for_end(std::chrono::milliseconds(0)));
  heard.events()->on_done(heard.output(), {});
  EXPECT_TRUE(heard.wait_for_end(std::chrono::milliseconds(0)));
}

}  // namespace
}  // namespace inferbench::check
