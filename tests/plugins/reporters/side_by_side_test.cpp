// The table of the reporter `console` about several runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driver.hpp"

namespace inferbench::reporters_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

input loaded_run(const char* concurrency) {
  input in = full_run();
  in.plan = std::string(R"("load": {"max-concurrency": )") + concurrency + R"(}, )";
  return in;
}

TEST(side_by_side, runs_are_columns_with_their_ratio_to_the_first) {
  input slow = loaded_run("16");
  slow.run.duration_s = 3.5;
  slow.interrupted = true;
  slow.run.set_fact("journal_damage", R"({"places": 2, "bytes_dropped": 33, "records_read": 12})");
  const outcome o = report_table_with(
      "console", {}, {{loaded_run("8"), "base"}, {slow, "team \x1b[31m", "b.journal"}});
  EXPECT_TRUE(o.ok);
  EXPECT_THAT(o.lines, testing::IsEmpty());
  expect_golden(o.printed, "side_by_side.txt");
  EXPECT_THAT(o.printed, Not(HasSubstr("\x1b")));
  EXPECT_THAT(o.printed,
              AllOf(HasSubstr("x0.500"), HasSubstr("load.max-concurrency"),
                    HasSubstr("journal damaged at 2 places"), HasSubstr("stopped before its end")));
}

TEST(side_by_side, one_run_a_side_is_one_observation_and_the_text_says_so) {
  const outcome o = report_table_with("console", {}, {{plain_run(), "a"}, {plain_run(), "b"}});
  EXPECT_THAT(o.printed, HasSubstr("n = 1 for each side"));
  EXPECT_THAT(o.printed, HasSubstr("supports no\nclaim about a difference"));
  EXPECT_THAT(o.printed, HasSubstr("The configurations of the runs are equal."));
}

TEST(side_by_side, more_runs_than_columns_stand_below_with_the_first_again) {
  std::vector<table_input> runs;
  for (int i = 1; i <= 6; ++i)
    runs.push_back({plain_run(), "r" + std::to_string(i)});
  const outcome o = report_table_with("console", {}, runs);
  const auto first = o.printed.find("                1 r1");
  ASSERT_NE(first, std::string::npos);
  EXPECT_NE(o.printed.find("1 r1", first + 30), std::string::npos);
  EXPECT_THAT(o.printed, HasSubstr("6 r6"));
}

TEST(side_by_side, long_labels_are_in_several_lines_so_that_runs_can_be_told_apart) {
  const outcome o = report_table_with("console", {},
                                      {{plain_run(), "small, heavy, run=0"},
                                       {plain_run(), "large, heavy, run=0"},
                                       {plain_run(), "r"},
                                       {plain_run(), "a-long-name-of-a-journal.1"}});
  EXPECT_THAT(o.printed, HasSubstr("1 small, heavy,       2 large, heavy,                   3 r    "
                                   "4 a-lo...journal.1\n"));
  EXPECT_THAT(o.printed, HasSubstr("run=0                 run=0\n"));
}

TEST(side_by_side, a_label_of_many_words_has_its_first_and_last) {
  const outcome o = report_table_with(
      "console", {},
      {{plain_run(), "first0123456789 b0123456789 c0123456789 d0123456789 last0123456789"}});
  EXPECT_THAT(o.printed, HasSubstr("1 first0123456789\n"));
  EXPECT_THAT(o.printed, HasSubstr("...\n"));
  EXPECT_THAT(o.printed, HasSubstr("last0123456789\n"));
}

TEST(side_by_side, runs_of_other_kinds_and_without_success_have_what_they_have) {
  const outcome o = report_table_with(
      "console", {}, {{hopeless_run(), "none"}, {pooling_run(), "embeddings"}, {plain_run(), "c"}});
  EXPECT_TRUE(o.ok);
  EXPECT_THAT(o.printed, HasSubstr("0 / 1"));
  EXPECT_THAT(o.printed, Not(HasSubstr("nan")));
  EXPECT_THAT(o.printed, Not(HasSubstr("inf")));
}

TEST(side_by_side, a_table_without_runs_is_a_title) {
  const outcome o = report_table_with("console", {}, {});
  EXPECT_TRUE(o.ok);
  EXPECT_THAT(o.printed, HasSubstr("Runs side by side"));
}

}  // namespace
}  // namespace inferbench::reporters_test
