#include "confidence/binomial.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inferbench::confidence {
namespace {

using testing::ElementsAre;

std::vector<double> needed_for(double share) {
  std::vector<double> out;
  for (const double over : {0.0, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0})
    out.push_back(needed(over, share).value());
  return out;
}

// The floors that MLCommons publishes for 99 % confidence.
TEST(binomial, the_values_that_a_percentile_needs_are_those_of_the_literature) {
  EXPECT_THAT(needed_for(0.1), ElementsAre(44, 64, 81, 127, 197, 325, 681));
  EXPECT_THAT(needed_for(0.05), ElementsAre(90, 130, 165, 259, 398, 656, 1372));
  EXPECT_THAT(needed_for(0.01), ElementsAre(459, 662, 838, 1307, 2010, 3304, 6898));
  EXPECT_THAT(needed_for(0.001), ElementsAre(4603, 6636, 8403, 13105, 20140, 33097, 69058));
}

TEST(binomial, most_over_is_the_number_of_values_above_the_bound) {
  EXPECT_EQ(most_over(458, 0.01), std::nullopt);
  EXPECT_EQ(most_over(459, 0.01), 0);
  EXPECT_EQ(most_over(661, 0.01), 0);
  EXPECT_EQ(most_over(662, 0.01), 1);
  EXPECT_EQ(most_over(5000, 0.01), 33);
  EXPECT_EQ(most_over(10000, 0.01), 77);
}

TEST(binomial, chances_agree_with_sums_of_the_distribution) {
  // Bin(5, 0.5): 1, 5, 10, 10, 5, 1 of 32.
  EXPECT_NEAR(chance_of_at_most(5, 0, 0.5), 1.0 / 32, 1e-12);
  EXPECT_NEAR(chance_of_at_most(5, 2, 0.5), 16.0 / 32, 1e-12);
  EXPECT_NEAR(chance_of_at_most(5, 4, 0.5), 31.0 / 32, 1e-12);
  EXPECT_EQ(chance_of_at_most(5, 5, 0.5), 1);
  EXPECT_NEAR(chance_of_at_most(459, 0, 0.01), std::pow(0.99, 459), 1e-12);
}

TEST(binomial, shares_and_counts_at_the_edge_have_a_meaning) {
  EXPECT_EQ(chance_of_at_most(10, 3, 0), 1);
  EXPECT_EQ(chance_of_at_most(10, 3, 1), 0);
  EXPECT_EQ(chance_of_at_most(0, 0, 0.5), 1);
  EXPECT_EQ(chance_of_at_most(10, -1, 0.5), 0);
  EXPECT_EQ(most_over(1'000'000, 0), std::nullopt);
  EXPECT_EQ(most_over(0, 0.5), std::nullopt);
  EXPECT_EQ(most_over(10, 1), 9);
  EXPECT_EQ(needed(0, 0), std::nullopt);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(most_over(10, nan), std::nullopt);
  EXPECT_EQ(needed(0, nan), std::nullopt);
}

TEST(exceedance, is_proved_from_the_needed_number_of_values_on) {
  EXPECT_FALSE((exceedance{458, 0, 1, 0.01}.proves_less()));
  EXPECT_TRUE((exceedance{459, 0, 1, 0.01}.proves_less()));
  EXPECT_FALSE((exceedance{661, 1, 1, 0.01}.proves_less()));
  EXPECT_TRUE((exceedance{662, 1, 1, 0.01}.proves_less()));
}

TEST(exceedance, dependence_reduces_values_and_rounds_those_over_the_limit_up) {
  EXPECT_TRUE((exceedance{2 * 662, 2, 2, 0.01}.proves_less()));
  EXPECT_FALSE((exceedance{2 * 662, 3, 2, 0.01}.proves_less()));
  EXPECT_FALSE((exceedance{2 * 662 - 2, 1, 2, 0.01}.proves_less()));
  EXPECT_EQ((exceedance{100, 0, 4, 0.01}.effective()), 25);
}

TEST(exceedance, many_values_over_the_limit_prove_the_opposite) {
  EXPECT_TRUE((exceedance{1000, 30, 1, 0.01}.proves_more()));
  EXPECT_FALSE((exceedance{1000, 12, 1, 0.01}.proves_more()));
  EXPECT_FALSE((exceedance{1000, 30, 10, 0.01}.proves_more()));
  EXPECT_FALSE((exceedance{1000, 0, 1, 0.01}.proves_more()));
  // One value over a limit that no value may exceed is enough.
  EXPECT_TRUE((exceedance{1000, 1, 1, 0}.proves_more()));
}

// The equations of Clopper and Pearson, solved by bisection of sums of the distribution.
TEST(binomial, the_interval_of_a_share_is_that_of_clopper_and_pearson) {
  EXPECT_NEAR(interval_of_share(100, 98).low, 0.9105693270134083, 1e-9);
  EXPECT_NEAR(interval_of_share(100, 98).high, 0.9989603809940512, 1e-9);
  EXPECT_EQ(interval_of_share(10, 0).low, 0);
  EXPECT_NEAR(interval_of_share(10, 0).high, 0.4112959813475253, 1e-9);
  EXPECT_EQ(interval_of_share(10, 10).high, 1);
}

TEST(student, has_the_values_of_the_tables) {
  EXPECT_NEAR(student(0.99, 31), 2.4528, 1e-4);
  EXPECT_NEAR(student(0.99, 15), 2.6025, 1e-4);
  EXPECT_NEAR(student(0.975, 1), 12.7062, 1e-4);
}

}  // namespace
}  // namespace inferbench::confidence
