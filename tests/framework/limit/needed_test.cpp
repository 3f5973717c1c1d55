#include "limit/needed.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "confidence/anytime.hpp"

namespace inferbench::limit {
namespace {

const double bound = std::log(1'200);

TEST(the_passing_share, is_the_last_count_that_passes) {
  const double n = 5'000;
  const double share = passing_share(n, 0.01, bound).value();
  EXPECT_GE(confidence::ln_evidence_less(n, share * n, 0.01), bound);
  EXPECT_LT(confidence::ln_evidence_less(n, share * n + 1, 0.01), bound);
}

TEST(the_failing_share, is_the_first_count_that_fails) {
  const double n = 5'000;
  const double share = failing_share(n, 0.01, bound).value();
  EXPECT_GE(confidence::ln_evidence_more(n, share * n, 0.01), bound);
  EXPECT_LT(confidence::ln_evidence_more(n, share * n - 1, 0.01), bound);
}

TEST(too_few_requests, prove_nothing) {
  EXPECT_FALSE(passing_share(0, 0.01, bound));
  EXPECT_FALSE(passing_share(900, 0.01, bound));
  EXPECT_TRUE(passing_share(930, 0.01, bound));
  EXPECT_FALSE(failing_share(0, 0.01, bound));
  EXPECT_FALSE(failing_share(1, 0.01, bound));
  EXPECT_EQ(failing_share(2, 0.01, bound), 1);
}

TEST(more_requests, decide_at_their_own_share) {
  const double more = more_needed(1'000, 0.005, 0.01, bound, bound).value();
  const double n = 1'000 + more;
  EXPECT_GE(confidence::ln_evidence_less(n, n * 0.005, 0.01), bound);
  EXPECT_LT(confidence::ln_evidence_less(n - 1, (n - 1) * 0.005, 0.01), bound);
  EXPECT_GT(more_needed(100, 0.02, 0.01, bound, bound).value(), 0);
  EXPECT_EQ(more_needed(100, 1, 0.01, bound, bound), 0);
}

TEST(more_requests, never_decide_at_the_allowed_share) {
  EXPECT_FALSE(more_needed(1'000, 0.01, 0.01, bound, bound));
}

}  // namespace
}  // namespace inferbench::limit
