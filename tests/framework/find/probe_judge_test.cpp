#include "find/probe_judge.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/metrics/record_of.hpp"

namespace inferbench::find {
namespace {

using metrics::testing_::failure;
using metrics::testing_::success;
using ::testing::HasSubstr;

client::record judged_request(std::uint64_t sequence, double ttft) {
  return success({.sequence = sequence, .tokens = {ttft, ttft + 5}, .output = 2});
}

client::record cancelled_request(std::uint64_t sequence, double end) {
  return failure({.sequence = sequence, .end = end}, IFB_E_CANCELLED, 0, "stopped");
}

class probe : public ::testing::Test {
 protected:
  static limit::judge_settings settings() {
    limit::judge_settings out;
    out.assumed_correlation = 0;
    return out;
  }

  static constexpr std::uint64_t max_time = 1000;
  static constexpr std::uint64_t soon = 10;

  const goal_samples goals{std::vector<std::string>{"ttft.p90<200ms"},
                           {},
                           metrics::request_kind{.pooling = false, .paced = true}};
  probe_judge judge{goals, settings(), max_time};
  metrics::context run;
};

TEST_F(probe, passes_and_ends_the_traffic_when_the_evidence_is_there) {
  std::uint64_t sent = 0;
  while (!judge.has_enough(soon) && sent < 5000)
    judge.take(judged_request(sent++, 100));
  judge.end(false, run);
  EXPECT_EQ(judge.evidence().outcome, limit::verdict::passed);
  EXPECT_LT(sent, 400U);
  EXPECT_EQ(judge.sent(), sent);
  EXPECT_EQ(run.facts.front().first, "probe");
  EXPECT_THAT(run.facts.front().second, HasSubstr("\"verdict\": \"passed\""));
}

TEST_F(probe, judges_no_request_before_those_that_started_earlier) {
  // The first request hangs: the short requests after it must not make the probe pass.
  for (std::uint64_t i = 1; i < 3000; ++i)
    judge.take(judged_request(i, 100));
  EXPECT_FALSE(judge.has_enough(soon));
  judge.take(judged_request(0, 60'000));
  EXPECT_TRUE(judge.has_enough(soon));
}

TEST_F(probe, fails_early_at_a_hopeless_load) {
  std::uint64_t sent = 0;
  while (!judge.has_enough(soon) && sent < 5000)
    judge.take(judged_request(sent++, 900));
  judge.end(false, run);
  EXPECT_EQ(judge.evidence().outcome, limit::verdict::failed);
  EXPECT_LT(sent, 200U);
}

TEST_F(probe, ends_undecided_when_its_time_is_over) {
  for (std::uint64_t i = 0; i < 20; ++i)
    judge.take(judged_request(i, 100));
  EXPECT_FALSE(judge.has_enough(max_time - 1));
  EXPECT_TRUE(judge.has_enough(max_time));
  judge.end(false, run);
  EXPECT_EQ(judge.evidence().outcome, limit::verdict::undecided);
  EXPECT_EQ(judge.evidence().why, limit::ending::time);
}

TEST_F(probe, counts_requests_that_hang_when_the_time_is_over) {
  // A server that answers nothing at all: each request is over its limit when it is cancelled.
  EXPECT_TRUE(judge.has_enough(max_time));
  for (std::uint64_t i = 0; i < 1000; ++i)
    judge.take(cancelled_request(i, 5000));
  judge.end(false, run);
  EXPECT_EQ(judge.evidence().outcome, limit::verdict::failed);
}

TEST_F(probe, does_not_judge_requests_that_were_cancelled_within_the_limit) {
  for (std::uint64_t i = 0; i < 1000; ++i)
    judge.take(cancelled_request(i, 50));
  judge.end(true, run);
  EXPECT_EQ(judge.evidence().requests, 0U);
  EXPECT_EQ(judge.evidence().why, limit::ending::stopped);
}

TEST_F(probe, judges_a_request_without_a_value_by_its_other_goals) {
  const goal_samples two{std::vector<std::string>{"tpot.p90<50ms", "ttft.p90<200ms"},
                         {},
                         metrics::request_kind{.pooling = false, .paced = true}};
  probe_judge both(two, settings(), max_time);
  // Answers of one token have no time per output token. They are too late all the same.
  for (std::uint64_t i = 0; i < 3000 && !both.has_enough(soon); ++i)
    both.take(i % 3 == 0 ? success({.sequence = i, .tokens = {900}, .output = 1})
                         : judged_request(i, 100));
  both.end(false, run);
  EXPECT_EQ(both.evidence().outcome, limit::verdict::failed);
  EXPECT_EQ(both.evidence().parts[1].outcome, limit::verdict::failed);
  EXPECT_LT(both.evidence().parts[0].independent, both.evidence().parts[1].independent);
}

TEST_F(probe, says_that_the_data_ended) {
  for (std::uint64_t i = 0; i < 20; ++i)
    judge.take(judged_request(i, 100));
  judge.end(false, run);
  EXPECT_EQ(judge.evidence().why, limit::ending::data);
}

TEST_F(probe, knows_how_much_came_from_the_prefix_cache) {
  run.set_fact("prefix_cache", R"({"queries": 10, "hits": 4, "hit_rate": 0.4})");
  judge.end(false, run);
  EXPECT_EQ(judge.hit_rate(), 0.4);
}

limit::probe_evidence with_doubts(limit::verdict outcome, const probe_doubts& doubts) {
  limit::probe_evidence out;
  out.outcome = outcome;
  out.why = limit::ending::proved;
  apply(doubts, out);
  return out;
}

TEST(doubts, about_the_client_make_a_verdict_undecided_if_the_client_may_have_caused_it) {
  using enum limit::verdict;
  EXPECT_EQ(with_doubts(failed, {}).outcome, failed);
  EXPECT_EQ(with_doubts(failed, {.sets_rate = true}).outcome, failed);
  const limit::probe_evidence slow = with_doubts(failed, {.client_invalid = true});
  EXPECT_EQ(slow.outcome, undecided);
  EXPECT_EQ(slow.why, limit::ending::client);
  // A slow client sends at a lower rate, but not with fewer requests in flight.
  EXPECT_EQ(with_doubts(passed, {.client_invalid = true}).outcome, passed);
  EXPECT_EQ(with_doubts(passed, {.client_invalid = true, .sets_rate = true}).why,
            limit::ending::client);
}

TEST(doubts, name_the_server_that_is_gone_before_a_slow_client) {
  using enum limit::verdict;
  for (const bool slow : {false, true}) {
    const limit::probe_evidence gone =
        with_doubts(failed, {.client_invalid = slow, .server_gone = true});
    EXPECT_EQ(gone.outcome, undecided);
    EXPECT_EQ(gone.why, limit::ending::server);
    EXPECT_EQ(with_doubts(passed, {.client_invalid = slow, .server_gone = true}).outcome, passed);
  }
}

}  // namespace
}  // namespace inferbench::find
