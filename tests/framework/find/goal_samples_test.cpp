#include "find/goal_samples.hpp"

#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "framework/metrics/record_of.hpp"

namespace inferbench::find {
namespace {

using metrics::testing_::failure;
using metrics::testing_::shape;
using metrics::testing_::success;
using ::testing::HasSubstr;

goal_samples samples_of(const std::vector<std::string>& goals,
                        const metrics::limits& goodput = {}) {
  return {goals, goodput, metrics::request_kind{.pooling = false, .paced = true}};
}

/// A request that starts at 0 ms, has its first token at `first` and a second token 5 ms later.
client::record request(double first, int output = 2) {
  return success({.tokens = {first, first + 5}, .output = output});
}

/// A request that the end of the traffic cancels at `end` ms; its tokens so far came at `tokens`.
client::record cancelled(double end, std::vector<double> tokens = {}) {
  client::record out =
      failure({.tokens = std::move(tokens), .end = end}, IFB_E_CANCELLED, 0, "stopped");
  return out;
}

std::string refusal(const std::string& goal) {
  try {
    (void)samples_of({goal});
  } catch (const base::error& e) {
    return e.what();
  }
  return "";
}

TEST(goal_samples, a_percentile_is_a_share_of_requests_beyond_its_limit) {
  const goal_samples one = samples_of({"ttft.p99<200ms", "ttft.p5>=10ms"});
  EXPECT_EQ(one.goals()[0].by, sampling::share);
  EXPECT_EQ(one.goals()[0].allowed, 0.01);
  EXPECT_EQ(one.goals()[1].allowed, 0.05);
  EXPECT_FALSE(one.of(request(199))[0].over);
  EXPECT_TRUE(one.of(request(200))[0].over);
  EXPECT_TRUE(one.of(request(9))[1].over);
  EXPECT_FALSE(one.of(request(10))[1].over);
}

TEST(goal_samples, a_failed_request_is_over_every_limit) {
  const goal_samples some =
      samples_of({"ttft.p99<200ms", "failed<=1%", "completed>=95%", "request_goodput>=90%"},
                 {{"ttft", 100.0}});
  const auto failed = some.of(failure({}, IFB_E_REMOTE, 500, "no"));
  for (const goal_sample& each : failed)
    EXPECT_TRUE(each.has_value && each.over);
  const auto good = some.of(request(50));
  for (const goal_sample& each : good)
    EXPECT_TRUE(each.has_value && !each.over);
  EXPECT_TRUE(some.of(request(150))[3].over) << "it misses the limit of --goodput";
  EXPECT_EQ(some.goals()[2].allowed, 0.05);
  EXPECT_EQ(some.goals()[3].allowed, 0.1);
}

TEST(goal_samples, a_request_without_a_value_says_nothing) {
  const client::record short_answer = success({.tokens = {20}, .output = 1});
  const auto found = samples_of({"tpot.p99<50ms", "e2el.p99<1s"}).of(short_answer);
  EXPECT_FALSE(found[0].has_value);
  EXPECT_TRUE(found[1].has_value);
}

TEST(goal_samples, means_and_rates_have_values) {
  const goal_samples some = samples_of(
      {"e2el.mean<2s", "output_throughput>=500", "request_throughput>=5", "itl.p90<=3ms"});
  const auto found = some.of(request(20, 7));
  EXPECT_EQ(some.goals()[0].by, sampling::mean);
  EXPECT_EQ(found[0].value, 25);
  EXPECT_EQ(some.goals()[1].by, sampling::rate);
  EXPECT_EQ(found[1].value, 7);
  EXPECT_EQ(found[2].value, 1);
  EXPECT_EQ(some.goals()[3].by, sampling::mean);
  EXPECT_NEAR(some.goals()[3].limit, 0.1, 1e-12);
  EXPECT_EQ(found[3].value, 1) << "the only gap of 5 ms is beyond 3 ms";
  const auto failed = some.of(failure({}, IFB_E_REMOTE, 500, "no"));
  EXPECT_FALSE(failed[0].has_value);
  EXPECT_EQ(failed[1].value, 0);
}

TEST(goal_samples, a_cancelled_request_counts_only_if_its_side_is_known) {
  const goal_samples some = samples_of({"ttft.p99<200ms"});
  EXPECT_FALSE(some.of_cancelled(cancelled(150)));
  const auto late = some.of_cancelled(cancelled(250));
  ASSERT_TRUE(late);
  EXPECT_TRUE((*late)[0].over);
  EXPECT_FALSE(some.of_cancelled(cancelled(250, {50})))
      << "it met the limit, but one that is not over is not needed";
  EXPECT_FALSE(samples_of({"failed<=1%"}).of_cancelled(cancelled(5000)));
}

TEST(goal_samples, goals_that_no_search_can_judge_are_refused) {
  EXPECT_THAT(refusal("ttft.max<1s"), HasSubstr("no property of single requests"));
  EXPECT_THAT(refusal("ttft.p100<1s"), HasSubstr("no number of requests can prove it"));
  EXPECT_THAT(refusal("failed<=0%"), HasSubstr("no number of requests can prove it"));
  EXPECT_THAT(refusal("duration<60s"), HasSubstr("no property of single requests"));
  EXPECT_THAT(refusal("request_goodput>=95%"), HasSubstr("--goodput"));
  EXPECT_THAT(refusal("tftt.p99<1s"), HasSubstr("ttft"));
}

}  // namespace
}  // namespace inferbench::find
