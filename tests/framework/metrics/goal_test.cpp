#include "metrics/goal.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace inferbench::metrics {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string canonical(std::string_view text) { return parse_goal(text).text(); }

std::string goal_complaint(std::string_view text) {
  try {
    return "reads as " + canonical(text);
  } catch (const base::error& why) {
    return why.what();
  }
}

TEST(goal, names_a_figure_a_statistic_a_relation_and_a_limit) {
  const goal found = parse_goal("ttft.p99<200ms");
  EXPECT_STREQ(found.figure->name, "ttft");
  EXPECT_EQ(found.of, goal::statistic::percentile);
  EXPECT_EQ(found.percentile, 99);
  EXPECT_EQ(found.rel, relation::below);
  EXPECT_EQ(found.limit, 200);
  EXPECT_EQ(found.unit(), "ms");
  EXPECT_EQ(found.statistic_text(), "p99");
}

TEST(goal, its_canonical_text_reads_back_as_itself) {
  for (const char* text :
       {"ttft.p99<200ms", "failed<=1%", "failed<=3", "output_throughput>=500", "e2el.mean<2000ms",
        "itl.p99.9<50ms", "ttft.max<1000ms", "ttft.min>0.5ms", "tpot.std<=1.25ms",
        "request_goodput>=0.1", "completed>=99.5%", "duration<60s", "e2el.p50<7ms",
        "spec_decode_acceptance_rate>60%", "probe_p99_e2el_ms<1000ms"})
    EXPECT_EQ(canonical(text), text);
}

TEST(goal, other_spellings_mean_the_same) {
  EXPECT_EQ(canonical("  ttft.p99 <  0.2 s "), "ttft.p99<200ms");
  EXPECT_EQ(canonical("e2el.mean<2s"), "e2el.mean<2000ms");
  EXPECT_EQ(canonical("ttft.p99<200"), "ttft.p99<200ms");
  EXPECT_EQ(canonical("ttft.median<7000us"), "ttft.p50<7ms");
  EXPECT_EQ(canonical("ttft.p99.0<7e6ns"), "ttft.p99<7ms");
  EXPECT_EQ(canonical("ttft.p99<7000µs"), "ttft.p99<7ms");
  EXPECT_EQ(canonical("duration<60000ms"), "duration<60s");
  EXPECT_EQ(canonical("output_throughput>=5e2token/s"), "output_throughput>=500");
  EXPECT_EQ(canonical("ttft.p99<2E+2ms"), "ttft.p99<200ms");
}

TEST(goal, the_keys_of_upstreams_result_files_are_goals) {
  EXPECT_EQ(canonical("p99_ttft_ms<=200"), "ttft.p99<=200ms");
  EXPECT_EQ(canonical("p99.9_itl_ms<=200"), "itl.p99.9<=200ms");
  EXPECT_EQ(canonical("mean_tpot_ms<50"), "tpot.mean<50ms");
  EXPECT_EQ(canonical("median_itl_ms<50"), "itl.p50<50ms");
  EXPECT_EQ(canonical("std_e2el_ms<50"), "e2el.std<50ms");
  EXPECT_EQ(canonical("p90_client_queue_time_ms<1"), "client_queue_time.p90<1ms");
}

TEST(goal, a_unit_moves_the_limit_without_a_rounding_error) {
  EXPECT_EQ(parse_goal("ttft.p99<0.007s").limit, 7);
  EXPECT_EQ(parse_goal("ttft.p99<1.1s").limit, 1100);
  EXPECT_EQ(parse_goal("ttft.p99<4350us").limit, 4.35);
}

TEST(goal, a_share_is_of_the_requests_that_were_sent) {
  EXPECT_EQ(parse_goal("failed<=1%").of, goal::statistic::share);
  EXPECT_EQ(parse_goal("failed<=1%").unit(), "%");
  EXPECT_EQ(parse_goal("failed<=1").of, goal::statistic::value);
  EXPECT_THAT(goal_complaint("failed<=101%"), HasSubstr("a share is at most 100%"));
  EXPECT_THAT(
      goal_complaint("output_throughput>1%"),
      HasSubstr("\"%\" after 1 is not the unit of output_throughput; leave the unit out, or "
                "write token/s"));
}

TEST(goal, a_text_that_is_no_goal_is_refused_with_its_place_and_a_remedy) {
  EXPECT_THAT(goal_complaint(""), HasSubstr("it has none of < <= > >="));
  EXPECT_THAT(goal_complaint("ttft.p99=200ms"), HasSubstr("it has none of < <= > >="));
  EXPECT_THAT(goal_complaint("<5"), HasSubstr("no figure stands before the relation"));
  EXPECT_THAT(goal_complaint("ttf.p99<5"),
              AllOf(HasSubstr("the goal \"ttf.p99<5\" cannot be read: \"ttf\" is not a figure"),
                    HasSubstr("did you mean ttft?")));
  EXPECT_THAT(goal_complaint("p99_ttff_ms<5"), HasSubstr("did you mean p99_ttft_ms?"));
  EXPECT_THAT(goal_complaint("ttft<5"), HasSubstr("write ttft.p99, ttft.mean"));
  EXPECT_THAT(goal_complaint("ttft.q99<5"), HasSubstr("\"q99\" is not a statistic of ttft"));
  EXPECT_THAT(goal_complaint("ttft.p101<5"), HasSubstr("\"p101\" is not a statistic of ttft"));
  EXPECT_THAT(goal_complaint("ttft.p<5"), HasSubstr("is not a statistic"));
  EXPECT_THAT(goal_complaint("failed.p99<5"), HasSubstr("failed is a single number"));
  EXPECT_THAT(goal_complaint("ttft.p99<"), HasSubstr("is not a limit"));
  EXPECT_THAT(goal_complaint("ttft.p99<-5"), HasSubstr("\"-5\" is not a limit of 0 or more"));
  EXPECT_THAT(goal_complaint("ttft.p99<nan"), HasSubstr("is not a limit"));
  EXPECT_THAT(goal_complaint("ttft.p99<inf"), HasSubstr("is not a limit"));
  EXPECT_THAT(goal_complaint("ttft.p99<1.2.3"), HasSubstr("is not a limit"));
  EXPECT_THAT(goal_complaint("ttft.p99<5 min"),
              HasSubstr("\"min\" after 5 is not a unit of time; use ns, us, ms or s"));
  EXPECT_THAT(goal_complaint("ttft.p99<5%"), HasSubstr("is not a unit of time"));
  EXPECT_THAT(goal_complaint("ttft.p99<=<5"), HasSubstr("\"<=<\" is not a relation"));
  EXPECT_THAT(goal_complaint("ttft.p99<5e999"), HasSubstr("is out of range"));
  EXPECT_THAT(goal_complaint("ttft.p99<5e99999999999999999999"), HasSubstr("is out of range"));
}

TEST(goal, hostile_texts_are_cut_and_cleaned_in_messages) {
  const std::string message = goal_complaint(std::string(100'000, 'x') + "<5");
  EXPECT_LT(message.size(), 1000U);
  EXPECT_EQ(goal_complaint("a\nb\x1b[31m<5").find('\n'), std::string::npos);
  EXPECT_EQ(goal_complaint("a\nb\x1b[31m<5").find('\x1b'), std::string::npos);
}

TEST(goal, relations_hold_as_written) {
  EXPECT_TRUE(holds(1, relation::below, 2));
  EXPECT_FALSE(holds(2, relation::below, 2));
  EXPECT_TRUE(holds(2, relation::at_most, 2));
  EXPECT_FALSE(holds(2, relation::above, 2));
  EXPECT_TRUE(holds(2, relation::at_least, 2));
}

}  // namespace
}  // namespace inferbench::metrics
