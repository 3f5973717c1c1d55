#include "compare/group_doubts.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run_box.hpp"

namespace inferbench::compare {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double two_percent = 0.02;

measured_run run_with(double completed, double failed) {
  measured_run out;
  out.completed = completed;
  out.failed = failed;
  return out;
}

TEST(doubts, are_none_for_good_runs) {
  const std::vector<run_group> groups{{"base", {run_with(20, 0)}}, {"new", {run_with(20, 0)}}};
  EXPECT_THAT(doubts_of(groups, two_percent), IsEmpty());
  EXPECT_FALSE(fails_more(groups, two_percent));
}

TEST(doubts, name_failures_that_latencies_do_not_show) {
  const std::vector<run_group> groups{{"base", {run_with(100, 0), run_with(99, 1)}},
                                      {"new", {run_with(90, 10), run_with(100, 0)}}};
  EXPECT_THAT(doubts_of(groups, two_percent),
              ElementsAre("requests failed: base 0.5 %, new 5 %; the latencies are those of the "
                          "requests that succeeded",
                          "new fails more requests than base, by more than 2 % of all: this is a "
                          "difference that the latencies do not show"));
  EXPECT_TRUE(fails_more(groups, two_percent));
  EXPECT_FALSE(fails_more(groups, 0.05));
}

TEST(doubts, do_not_blame_a_group_that_fails_less) {
  const std::vector<run_group> groups{{"base", {run_with(90, 10)}}, {"new", {run_with(100, 0)}}};
  EXPECT_THAT(doubts_of(groups, two_percent), ElementsAre(HasSubstr("requests failed: base 10 %")));
  EXPECT_FALSE(fails_more(groups, two_percent));
}

TEST(doubts, name_runs_without_a_result) {
  std::vector<run_group> groups{{"base", {run_with(20, 0), run_with(0, 0)}},
                                {"new", {run_with(20, 0)}}};
  groups[1].runs[0].interrupted = true;
  groups[0].runs[0].verdict = "INVALID";
  groups[0].runs[1].verdict = "VALID";
  EXPECT_THAT(doubts_of(groups, two_percent),
              ElementsAre("1 of 2 runs of base completed no request",
                          HasSubstr("1 of 2 runs of base had a client that may not have kept up"),
                          "the run of new ended before the end of the benchmark"));
}

TEST(doubts, name_prefix_caches_that_answered_differently) {
  std::vector<run_group> groups{{"base", {run_with(20, 0)}}, {"new", {run_with(20, 0)}}};
  groups[0].runs[0].cached_share = 0.01;
  EXPECT_THAT(doubts_of(groups, two_percent), IsEmpty());
  groups[1].runs[0].cached_share = 0.05;
  EXPECT_THAT(doubts_of(groups, two_percent), IsEmpty());
  groups[1].runs[0].cached_share = 0.9;
  EXPECT_THAT(doubts_of(groups, two_percent),
              ElementsAre(HasSubstr("different shares of the prompts: base 1 %, new 90 %")));
}

TEST(doubts, name_settings_that_vary_within_a_group) {
  std::vector<run_group> groups{{"base", {run_with(20, 0), run_with(20, 0)}},
                                {"new", {run_with(20, 0)}}};
  groups[0].runs[0].settings.common = {{"num_prompts", "10"}};
  groups[0].runs[1].settings.common = {{"num_prompts", "20"}};
  EXPECT_THAT(doubts_of(groups, two_percent),
              Contains(HasSubstr("the runs of base had different settings, such as num_prompts")));
}

TEST(the_texts_of_groups, have_a_line_for_each_group_and_setting) {
  std::vector<run_group> groups{{"base", {run_with(20, 0), run_with(20, 0)}},
                                {"new", {run_with(20, 0)}}};
  groups[1].runs[0].settings.common = {{"max_concurrency", "8"}};
  EXPECT_EQ(groups_text(groups),
            "Base      base: 2 runs of serve\nCandidate new: 1 run of serve\n");
  EXPECT_EQ(differences_text(groups, differing_settings(groups)),
            "Settings that differ:\n  max_concurrency: base not stated; new 8\n");
  EXPECT_EQ(differences_text(groups, {}), "");
}

TEST(the_texts_of_groups, list_at_most_twenty_settings) {
  std::vector<run_group> groups{{"base", {run_with(20, 0)}}, {"new", {run_with(20, 0)}}};
  for (int i = 0; i < 25; ++i)
    groups[0].runs[0].settings.common["setting" + std::to_string(i)] = "1";
  EXPECT_THAT(differences_text(groups, differing_settings(groups)),
              HasSubstr("\n  and 5 more (--json has all)\n"));
}

}  // namespace
}  // namespace inferbench::compare
