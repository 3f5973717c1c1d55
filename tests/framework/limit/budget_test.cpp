#include "limit/budget.hpp"

#include <gtest/gtest.h>

namespace inferbench::limit {
namespace {

part share(double allowed) {
  part out;
  out.allowed = allowed;
  return out;
}

TEST(good_requests_to_pass, are_those_of_the_warm_up_and_of_the_evidence) {
  judge_settings independent;
  independent.assumed_correlation = 0;
  const auto tenth = good_requests_to_pass({share(0.1)}, independent);
  ASSERT_TRUE(tenth);
  // 100 requests of warm-up, and ln(12 / 1 %) / -ln(0.9) = 68 requests at the least.
  EXPECT_GT(*tenth, 168U);
  EXPECT_LT(*tenth, 300U);
  EXPECT_GT(*good_requests_to_pass({share(0.01)}, independent), 5 * *tenth);
}

TEST(good_requests_to_pass, are_more_if_requests_may_depend_on_each_other) {
  judge_settings independent;
  independent.assumed_correlation = 0;
  EXPECT_GT(*good_requests_to_pass({share(0.1)}, {}),
            2 * *good_requests_to_pass({share(0.1)}, independent));
}

TEST(good_requests_to_pass, are_those_of_the_strictest_share) {
  EXPECT_EQ(good_requests_to_pass({share(0.1), share(0.01)}, {}),
            good_requests_to_pass({share(0.01)}, {}));
}

TEST(good_requests_to_pass, do_not_exist_within_a_budget_that_is_too_small) {
  judge_settings few;
  few.most_requests = *good_requests_to_pass({share(0.1)}, {});
  EXPECT_TRUE(good_requests_to_pass({share(0.1)}, few));
  --few.most_requests;
  EXPECT_FALSE(good_requests_to_pass({share(0.1)}, few));
  few.most_requests = 1'000'000;
  EXPECT_FALSE(good_requests_to_pass({share(0.0001)}, few)) << "more than most_counted are needed";
}

TEST(good_requests_to_pass, are_none_for_estimates) {
  part mean;
  mean.kind = part_kind::mean;
  EXPECT_EQ(good_requests_to_pass({mean}, {}), 0U);
}

}  // namespace
}  // namespace inferbench::limit
