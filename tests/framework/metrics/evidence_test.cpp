#include "metrics/evidence.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "metrics/accumulator.hpp"
#include "record_of.hpp"

namespace inferbench::metrics {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_::failure;
using testing_::success;

/// A run in which request i starts at i * 10 ms and has two events. ttft(i) in ms; a negative time
/// means that the request failed.
template <typename times>
report report_of(context run, std::size_t requests, times&& ttft) {
  run.request_rate = 100;
  run.duration_s = static_cast<double>(requests) / 100;
  accumulator all(run);
  for (std::size_t i = 0; i < requests; ++i) {
    const double start = static_cast<double>(i) * 10;
    const double first = ttft(i);
    const testing_::shape s{.sequence = i,
                            .due = start,
                            .start = start,
                            .tokens = {start + std::abs(first), start + std::abs(first) + 5},
                            .output = 2};
    all.add(first < 0 ? failure(s, IFB_E_REMOTE, 500, "no") : success(s));
  }
  return all.finish(run);
}

context judged_by(std::vector<std::string> goals) {
  context run;
  run.thresholds = std::move(goals);
  return run;
}

/// A single result of a run with one goal.
template <typename times>
goal_result judged(const std::string& goal, std::size_t requests, times&& ttft) {
  return report_of(judged_by({goal}), requests, ttft).goals()[0];
}

/// Times without order between 10 and 110 ms.
double scattered_time(std::size_t i) {
  return 10 + 100 * std::fmod(static_cast<double>(i * i) * 0.6180339887498949, 1.0);
}

TEST(evidence, a_p99_without_exceptions_is_certain_from_459_requests_on) {
  const goal_result few = judged("ttft.p99<200ms", 458, scattered_time);
  EXPECT_TRUE(few.passed);
  EXPECT_FALSE(few.certain);
  EXPECT_EQ(few.reason,
            "458 independent values, 0 of them beyond the limit, do not prove it at 99 %; 459 "
            "independent values would");
  const goal_result enough = judged("ttft.p99<200ms", 459, scattered_time);
  EXPECT_TRUE(enough.passed && enough.certain) << enough.reason;
  EXPECT_EQ(enough.count, 459U);
  EXPECT_EQ(enough.effective_count, 459);
  EXPECT_EQ(enough.reason, "");
}

TEST(evidence, a_p99_with_one_exception_is_certain_from_662_requests_on) {
  const auto one_slow = [](std::size_t i) { return i == 300 ? 500 : scattered_time(i); };
  EXPECT_FALSE(judged("ttft.p99<200ms", 661, one_slow).certain);
  EXPECT_TRUE(judged("ttft.p99<200ms", 662, one_slow).certain);
}

TEST(evidence, a_share_of_good_requests_counts_failures_and_missed_limits) {
  context run = judged_by({"request_goodput>=95%", "request_goodput>=97%"});
  run.goodput = {{"ttft", 120.0}};
  // 40 of 2,000 requests miss the limit, and 20 fail.
  const report found = report_of(run, 2000, [](std::size_t i) {
    if (i % 100 == 7) return -1.0;
    return i % 50 == 3 ? 500.0 : scattered_time(i);
  });
  EXPECT_EQ(found.goals()[0].value, 97);
  EXPECT_TRUE(found.goals()[0].passed && found.goals()[0].certain) << found.goals()[0].reason;
  EXPECT_TRUE(found.goals()[1].passed);
  EXPECT_FALSE(found.goals()[1].certain);
  run.bounded = true;
  EXPECT_EQ(report_of(run, 2000, scattered_time).goals()[0].value, 100);
}

TEST(evidence, requests_that_depend_on_one_another_count_as_fewer) {
  // Twenty requests in a row are slow, or none.
  const auto in_blocks = [](std::size_t i) {
    return (i / 20) * 7919 % 25 == 3 ? 150.0 : scattered_time(i) / 2;
  };
  const goal_result found = judged("ttft.p90<100ms", 1000, in_blocks);
  EXPECT_TRUE(found.passed);
  EXPECT_LT(*found.effective_count, 200);
  EXPECT_FALSE(found.certain);
  const goal_result alone =
      judged("ttft.p90<100ms", 1000, [](std::size_t i) { return i % 25 == 3 ? 150.0 : 20.0; });
  EXPECT_TRUE(alone.certain) << alone.reason;
}

TEST(evidence, many_exceptions_make_the_failure_certain) {
  const auto often = [](std::size_t i) { return i % 20 == 7 ? 300.0 : 50.0; };
  const goal_result found = judged("ttft.p99<200ms", 2000, often);
  EXPECT_FALSE(found.passed);
  EXPECT_TRUE(found.certain) << found.reason;
  const goal_result few = judged("ttft.p99<200ms", 40, often);
  EXPECT_FALSE(few.passed);
  EXPECT_FALSE(few.certain);
  EXPECT_THAT(few.reason, HasSubstr("do not prove it at 99 %"));
}

TEST(evidence, a_lower_limit_of_a_percentile_is_proved_from_below) {
  EXPECT_TRUE(judged("ttft.p10>5ms", 500, scattered_time).certain);
  EXPECT_FALSE(judged("ttft.p1>5ms", 400, scattered_time).certain);
}

TEST(evidence, failures_are_a_share_of_the_sent_requests) {
  const auto one_in_400 = [](std::size_t i) { return i % 400 == 7 ? -50.0 : 50.0; };
  const goal_result share = judged("failed<=1%", 2000, one_in_400);
  EXPECT_EQ(share.value, 0.25);
  EXPECT_EQ(share.count, 2000U);
  EXPECT_TRUE(share.passed && share.certain) << share.reason;
  EXPECT_TRUE(judged("completed>=99%", 2000, one_in_400).certain);
  EXPECT_FALSE(judged("failed<=0.2%", 2000, one_in_400).passed);
  const goal_result count = judged("failed<=4", 2000, one_in_400);
  EXPECT_EQ(count.value, 5);
  EXPECT_FALSE(count.passed);
}

TEST(evidence, means_are_certain_by_their_interval) {
  EXPECT_TRUE(judged("ttft.mean<80ms", 1000, scattered_time).certain);
  EXPECT_TRUE(judged("ttft.mean>80ms", 1000, scattered_time).certain);  // failed, certainly
  const goal_result close = judged("ttft.mean<60.5ms", 1000, scattered_time);
  EXPECT_FALSE(close.certain);
  EXPECT_THAT(close.reason, HasSubstr("the true mean may be"));
  EXPECT_EQ(judged("ttft.mean<80ms", 20, scattered_time).reason,
            "20 values are too few; 64 are needed");
}

TEST(evidence, one_number_of_one_run_is_never_certain) {
  const goal_result found = judged("request_throughput>=1", 1000, scattered_time);
  EXPECT_TRUE(found.passed);
  EXPECT_FALSE(found.certain);
  EXPECT_EQ(found.count, 1U);
  EXPECT_THAT(found.reason, HasSubstr("one run gives one value"));
}

TEST(evidence, a_maximum_is_never_certain_and_its_failure_is) {
  EXPECT_FALSE(judged("ttft.max<200ms", 100'000 / 50, scattered_time).certain);
  const goal_result failed = judged(
      "ttft.max<200ms", 500, [](std::size_t i) { return i == 9 ? 201.0 : scattered_time(i); });
  EXPECT_FALSE(failed.passed);
  EXPECT_TRUE(failed.certain);
}

TEST(evidence, a_goal_without_a_value_fails_with_its_reason) {
  const report found = report_of(
      judged_by({"request_goodput>=1", "ttft_answer.p99<1s", "nonsense", "probe_failed<=1"}), 10,
      scattered_time);
  std::vector<std::string> reasons;
  for (const goal_result& each : found.goals()) {
    EXPECT_FALSE(each.passed || each.certain || each.value.has_value());
    reasons.push_back(each.reason);
  }
  EXPECT_THAT(reasons, ElementsAre("this run does not have the figure request_goodput; give "
                                   "--goodput",
                                   "no request has a value of ttft_answer",
                                   HasSubstr("the goal \"nonsense\" cannot be read"),
                                   "this run does not have the figure probe_failed"));
}

TEST(evidence, a_goal_on_scores_that_no_answer_has_says_why) {
  context run = judged_by({"correct_rate>=95%"});
  const auto reason = [&] { return report_of(run, 3, scattered_time).goals()[0].reason; };
  EXPECT_EQ(reason(), "no answer was scored, because the run has no scorer; give --scorer");
  run.no_score = "no answer was scored, because no request succeeded";
  EXPECT_EQ(reason(), run.no_score);
  run.beside.emplace_back(metric::correct_rate, 96);
  const goal_result met = report_of(run, 3, scattered_time).goals()[0];
  EXPECT_TRUE(met.passed);
  EXPECT_EQ(met.value, 96);
}

TEST(evidence, a_percentile_that_only_a_goal_names_is_not_reported) {
  const report found = report_of(judged_by({"ttft.p75<1s"}), 101, scattered_time);
  ASSERT_TRUE(found.goals()[0].value);
  const ifb_metric* ttft = found.find("ttft");
  ASSERT_EQ(ttft->quantile_count, 1U);
  EXPECT_EQ(ttft->quantiles[0].q, 0.99);
  EXPECT_GT(*found.goals()[0].value, ttft->median);
  EXPECT_LT(*found.goals()[0].value, ttft->quantiles[0].value);
}

rapidjson::Document facts_of(const report& of) {
  rapidjson::Document out;
  out.Parse(of.facts_json().data(), of.facts_json().size());
  return out;
}

TEST(evidence, every_percentile_has_a_bound_or_null) {
  context run;
  run.percentiles = {50, 99, 99.9};
  const report found = report_of(run, 1000, scattered_time);
  const rapidjson::Document facts = facts_of(found);
  EXPECT_EQ(facts["certainty"]["confidence"].GetDouble(), 0.99);
  const auto& ttft = facts["certainty"]["figures"]["ttft"];
  EXPECT_EQ(ttft["count"].GetUint(), 1000U);
  ASSERT_EQ(ttft["percentiles"].Size(), 3U);
  for (unsigned i : {0U, 1U}) {
    EXPECT_GT(ttft["percentiles"][i]["bound"].GetDouble(), found.find("ttft")->quantiles[i].value);
    EXPECT_LE(ttft["percentiles"][i]["bound"].GetDouble(), found.find("ttft")->maximum);
  }
  EXPECT_EQ(ttft["percentiles"][2]["percentile"].GetDouble(), 99.9);
  EXPECT_TRUE(ttft["percentiles"][2]["bound"].IsNull());
}

TEST(evidence, bounds_of_gaps_count_answers_that_share_their_gaps_once) {
  context run;
  run.duration_s = 1;
  accumulator alike(run);
  accumulator mixed(run);
  for (std::size_t i = 0; i < 200; ++i) {
    testing_::shape same{.sequence = i, .start = static_cast<double>(i), .output = 50};
    testing_::shape varied = same;
    double a = same.start;
    double b = same.start;
    for (std::size_t k = 0; k < 50; ++k) {
      same.tokens.push_back(a += i * 7919 % 20 == 3 ? 40 : 10);
      varied.tokens.push_back(b += (i * 31 + k * 7919) % 20 == 3 ? 40 : 10);
    }
    alike.add(success(same));
    mixed.add(success(varied));
  }
  const auto effective = [&](accumulator& from) {
    return facts_of(from.finish(run))["certainty"]["figures"]["itl"]["effective_count"].GetDouble();
  };
  EXPECT_NEAR(effective(alike), 200, 50);
  EXPECT_GT(effective(mixed), 9000);
}

TEST(evidence, bounded_figures_prove_nothing_and_say_why) {
  context run = judged_by({"ttft.p99<200ms", "failed<=1%"});
  run.bounded = true;
  const report found = report_of(run, 1000, scattered_time);
  for (const goal_result& each : found.goals()) {
    EXPECT_TRUE(each.passed);
    EXPECT_FALSE(each.certain);
    EXPECT_THAT(each.reason, HasSubstr("--summary bounded"));
  }
  const rapidjson::Document facts = facts_of(found);
  const auto& ttft = facts["certainty"]["figures"]["ttft"];
  EXPECT_TRUE(ttft["effective_count"].IsNull());
  EXPECT_TRUE(ttft["percentiles"][0]["bound"].IsNull());
  EXPECT_TRUE(facts["certainty"].HasMember("reason"));
}

TEST(evidence, a_run_without_requests_fails_its_goals) {
  const report none =
      report_of(judged_by({"ttft.p99<1s", "failed<=1%", "itl.p99<1s"}), 0, scattered_time);
  for (const goal_result& each : none.goals())
    EXPECT_FALSE(each.passed) << each.goal;
  EXPECT_EQ(none.goals()[1].reason, "no request was sent");
}

TEST(evidence, goals_on_gaps_are_decided) {
  const goal_result met = judged("itl.p99<=5ms", 1000, scattered_time);
  EXPECT_TRUE(met.passed && met.certain) << met.reason;
  const goal_result missed = judged("itl.p50<5ms", 1000, scattered_time);
  EXPECT_FALSE(missed.passed);
  EXPECT_TRUE(missed.certain) << missed.reason;
  EXPECT_TRUE(judged("itl.mean<=6ms", 10, scattered_time).passed);
}

TEST(goals, that_a_run_of_this_kind_cannot_reach_are_known_before_the_run) {
  EXPECT_THAT(unreachable_goals(judged_by({"request_goodput>=1", "ttft.p99<1s", "probe_failed<1"})),
              ElementsAre(HasSubstr("the goal request_goodput>=1 will fail")));
}

TEST(goal_results, fail_when_one_is_not_passed_or_must_be_certain) {
  goal_result good;
  good.passed = good.certain = true;
  goal_result open = good;
  open.certain = false;
  EXPECT_FALSE(any_fails({}, true));
  EXPECT_FALSE(any_fails(std::vector{good, open}, false));
  EXPECT_TRUE(any_fails(std::vector{good, open}, true));
  open.goal = "ttft.p99<1s";
  EXPECT_EQ(failed_text(std::vector{good, open}, true), "1 goal failed: ttft.p99<1s (not certain)");
  open.passed = false;
  EXPECT_TRUE(any_fails(std::vector{good, open}, false));
  EXPECT_EQ(failed_text(std::vector{open, open}, false),
            "2 goals failed: ttft.p99<1s, ttft.p99<1s");
}

}  // namespace
}  // namespace inferbench::metrics
