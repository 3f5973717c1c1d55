#include "limit/judge.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "framework/limit/simulated_search.hpp"

namespace inferbench::limit {
namespace {

part share_of(double allowed) {
  part out;
  out.goal = "ttft.p90<200ms";
  out.allowed = allowed;
  return out;
}

part mean_goal(double limit) {
  part out;
  out.goal = "e2el.mean<2s";
  out.kind = part_kind::mean;
  out.limit = limit;
  return out;
}

/// Adds requests until the probe ends, at most `most`; all are `request`.
probe_evidence constant(judge& probe, const std::vector<observation>& request, int most = 100'000) {
  for (int i = 0; i < most && probe.add(request); ++i) {
  }
  return probe.evidence();
}

TEST(a_probe, passes_if_no_request_is_over) {
  judge probe({share_of(0.1)}, {});
  const probe_evidence found = constant(probe, {{.over = false}});
  EXPECT_EQ(found.outcome, verdict::passed);
  EXPECT_EQ(found.why, ending::proved);
  EXPECT_EQ(found.warm_up, 100U);
  EXPECT_EQ(found.step, 1U);
  EXPECT_EQ(found.requests, found.warm_up + found.independent());
  EXPECT_GE(found.parts[0].ln_less, std::log(1'200));
  EXPECT_GE(found.parts[0].ln_chain_less, std::log(1'200));
}

TEST(a_hopeless_load, fails_soon_after_the_shortest_warm_up) {
  judge probe({share_of(0.01)}, {});
  const probe_evidence found = constant(probe, {{.over = true}});
  EXPECT_EQ(found.outcome, verdict::failed);
  EXPECT_EQ(found.warm_up, 100U);
  EXPECT_LE(found.requests, 160U);
}

TEST(a_probe, passes_only_if_all_parts_pass_and_fails_with_any) {
  judge good({share_of(0.1), share_of(0.1)}, {});
  EXPECT_EQ(constant(good, {{.over = false}, {.over = false}}).outcome, verdict::passed);
  judge bad({share_of(0.1), share_of(0.1)}, {});
  const probe_evidence found = constant(bad, {{.over = false}, {.over = true}});
  EXPECT_EQ(found.outcome, verdict::failed);
  EXPECT_EQ(found.parts[0].outcome, verdict::undecided);
  EXPECT_EQ(found.parts[1].outcome, verdict::failed);
}

TEST(the_step, is_the_correlation_time_of_the_warm_up_and_at_least_that_of_earlier_probes) {
  judge probe({share_of(0.1)}, {.least_warm_up = 5'000});
  random_numbers random(5);
  over_chain series(0.1, 0.8, random);
  for (int i = 0; i < 5'000; ++i)
    probe.add(std::vector<observation>{{.over = series.next()}});
  const probe_evidence found = probe.evidence();
  EXPECT_NEAR(static_cast<double>(found.step), 9, 3);
  EXPECT_EQ(found.step, std::ceil(found.parts[0].warm_up_correlation - 0.25));

  judge later({share_of(0.1)}, {.least_step = 12});
  EXPECT_EQ(constant(later, {{.over = false}}, 200).step, 12U);
}

TEST(a_step, lets_each_of_its_requests_count) {
  judge probe({share_of(0.1)}, {.least_step = 7});
  EXPECT_EQ(constant(probe, {{.over = false}}, 100 + 70).independent(), 10U);
}

// The warm-up is quiet, and then slow requests come in runs of five.
TEST(dependence_that_the_warm_up_did_not_show, makes_a_pass_undecided) {
  judge probe({share_of(0.1)}, {.assumed_correlation = 0});
  int i = 0;
  while (probe.add(std::vector<observation>{{.over = i > 100 && i % 100 < 5}}))
    ++i;
  const probe_evidence found = probe.evidence();
  EXPECT_EQ(found.outcome, verdict::undecided);
  EXPECT_EQ(found.why, ending::dependence);
  EXPECT_GT(found.least_step_of_others(), 2);
}

// The queue of a load slightly above the capacity grows slowly: the first requests are good.
TEST(a_probe_with_a_least_length, sees_a_queue_that_grows_slowly) {
  const auto outcome_with = [](std::size_t least) {
    judge probe({share_of(0.1)}, {.least_requests = least});
    for (int i = 0; probe.add(std::vector<observation>{{.over = i > 1'000}}); ++i) {
    }
    return probe.evidence();
  };
  EXPECT_EQ(outcome_with(0).outcome, verdict::passed);
  const probe_evidence longer = outcome_with(3'000);
  EXPECT_EQ(longer.outcome, verdict::failed);
  EXPECT_GT(longer.requests, 1'001U);
  judge good({share_of(0.1)}, {.least_requests = 3'000});
  EXPECT_EQ(constant(good, {{.over = false}}).requests, 3'000U);
}

TEST(a_probe_without_a_verdict, ends_at_its_largest_numbers) {
  const auto tenth = [](judge& probe) {
    for (int i = 0; probe.add(std::vector<observation>{{.over = i % 10 == 0}}); ++i) {
    }
    return probe.evidence();
  };
  judge counted({share_of(0.1)}, {.most_counted = 400});
  EXPECT_EQ(tenth(counted).independent(), 400U);
  EXPECT_EQ(tenth(counted).why, ending::requests);
  judge requests({share_of(0.1)}, {.most_requests = 300});
  EXPECT_EQ(tenth(requests).requests, 300U);
  judge warm({share_of(0.001)}, {.most_requests = 50});
  EXPECT_EQ(tenth(warm).requests, 50U);
  EXPECT_EQ(tenth(warm).independent(), 0U);
}

TEST(a_probe, can_be_ended_by_its_caller_once) {
  judge probe({share_of(0.1)}, {});
  constant(probe, {{.over = false}}, 110);
  probe.end(ending::time);
  probe.end(ending::stopped);
  EXPECT_FALSE(probe.add(std::vector<observation>{{.over = false}}));
  EXPECT_EQ(probe.evidence().why, ending::time);
  EXPECT_EQ(probe.evidence().outcome, verdict::undecided);
  EXPECT_EQ(probe.evidence().requests, 110U);
}

TEST(a_mean, is_judged_when_the_planned_requests_are_over) {
  judge probe({mean_goal(3)}, {.planned = 420});
  const probe_evidence found = constant(probe, {{.value = 2}});
  EXPECT_EQ(found.outcome, verdict::passed);
  EXPECT_EQ(found.why, ending::estimated);
  EXPECT_EQ(found.requests, 420U);
  EXPECT_EQ(found.independent(), 32U);
  judge slow({mean_goal(1)}, {.planned = 420});
  EXPECT_EQ(constant(slow, {{.value = 2}}).outcome, verdict::failed);
  judge equal({mean_goal(2)}, {.planned = 420});
  EXPECT_EQ(constant(equal, {{.value = 2}}).outcome, verdict::undecided);
}

TEST(a_share_with_a_mean, needs_both) {
  judge probe({share_of(0.1), mean_goal(3)}, {.planned = 420});
  const probe_evidence found = constant(probe, {{.over = false}, {.value = 2}});
  EXPECT_EQ(found.outcome, verdict::passed);
  EXPECT_EQ(found.why, ending::proved);
  EXPECT_GT(found.requests, 420U);  // the share needs more requests than the mean
  EXPECT_EQ(found.independent(), 32U);
  judge slow({share_of(0.1), mean_goal(1)}, {.planned = 420});
  EXPECT_EQ(constant(slow, {{.over = false}, {.value = 2}}).outcome, verdict::failed);
  judge early({share_of(0.1), mean_goal(3)}, {.planned = 100'000});
  EXPECT_LE(constant(early, {{.over = true}, {.value = 2}}).requests, 200U);
}

TEST(a_probe, that_may_not_pass_early_is_not_ended_by_the_cap_of_counted_requests) {
  judge probe({share_of(0.1)}, {.least_requests = 20'000, .most_counted = 1'000});
  const probe_evidence found = constant(probe, {{.over = false}});
  EXPECT_EQ(found.outcome, verdict::passed);
  EXPECT_EQ(found.requests, 20'000U);
}

TEST(requests_with_another_number_of_parts, are_ignored) {
  judge probe({share_of(0.1)}, {});
  EXPECT_FALSE(probe.add(std::vector<observation>(2)));
  EXPECT_FALSE(probe.add({}));
  EXPECT_EQ(probe.evidence().requests, 0U);
}

TEST(a_probe_without_a_warm_up, counts_from_the_first_request) {
  judge probe({share_of(0.5)}, {.least_warm_up = 0});
  const probe_evidence found = constant(probe, {{.over = false}});
  EXPECT_EQ(found.outcome, verdict::passed);
  EXPECT_EQ(found.requests, found.warm_up + found.independent());
}

std::string error_of(const std::vector<part>& parts, const judge_settings& settings) {
  try {
    const judge probe(parts, settings);
  } catch (const base::error& e) {
    return e.what();
  }
  return "";
}

TEST(settings_without_a_meaning, are_refused_with_the_goal) {
  EXPECT_NE(error_of({}, {}), "");
  EXPECT_EQ(
      error_of({share_of(0)}, {}),
      "goal 'ttft.p90<200ms': the allowed share must be between 0 and 1; no number of requests "
      "proves a share of 0");
  EXPECT_NE(error_of({share_of(1)}, {}), "");
  EXPECT_NE(error_of({share_of(std::nan(""))}, {}), "");
  EXPECT_NE(error_of({mean_goal(std::nan(""))}, {}), "");
  EXPECT_EQ(error_of({mean_goal(2)}, {.planned = 100}),
            "goal 'e2el.mean<2s': 100 requests are too few to estimate it; plan at least 164");
  EXPECT_NE(error_of({share_of(0.1)}, {.alpha = 0}), "");
  EXPECT_NE(error_of({share_of(0.1)}, {.probes = 0}), "");
  EXPECT_NE(error_of({share_of(0.1)}, {.assumed_correlation = 1}), "");
  EXPECT_NE(error_of({share_of(0.1)}, {.least_step = 0}), "");
}

}  // namespace
}  // namespace inferbench::limit
