// Error rates and power with few sessions of fixed numbers; bench/paired_comparison.cpp has many.
#include <cmath>
#include <cstddef>

#include <gtest/gtest.h>

#include "framework/comparison/simulated_runs.hpp"

namespace inferbench::comparison {
namespace {

constexpr std::size_t trials = 1000;

double share_of_wrong_differences(double drift, double deviation) {
  simulated_session session;
  session.drift = drift;
  session.deviation = deviation;
  const verdict_counts counts = count_verdicts(session, trials, 11);
  return counts.share(counts.any_difference);
}

TEST(comparisons_of_equal_arms, rarely_find_a_difference_on_any_of_four_metrics) {
  EXPECT_LE(share_of_wrong_differences(0, 0.05), 0.055);
  EXPECT_LE(share_of_wrong_differences(0, 0.015), 0.055);
}

TEST(comparisons_of_equal_arms, rarely_find_a_difference_with_a_drift_of_10_percent) {
  EXPECT_LE(share_of_wrong_differences(0.1, 0.05), 0.055);
  EXPECT_LE(share_of_wrong_differences(0.1, 0.015), 0.055);
}

TEST(comparisons_with_one_large_difference, rarely_find_others) {
  simulated_session session;
  session.deviation = 0.05;
  session.effects = {std::log(1.5)};
  const verdict_counts counts = count_verdicts(session, trials, 12);
  EXPECT_LE(counts.share(counts.other_difference), 0.055);
  EXPECT_GE(counts.share(counts.first_slower), 0.999);
}

TEST(comparisons_with_a_difference_equal_to_the_margin, rarely_say_same) {
  simulated_session session;
  session.deviation = 0.003;
  session.effects.assign(4, std::log(1.02));
  const verdict_counts counts = count_verdicts(session, trials, 13);
  EXPECT_LE(counts.share(counts.first_same), 0.02);
  EXPECT_LE(counts.share(counts.any_same), 0.055);
}

/// Whether a planted 2 % is found with at least this chance, as far as so few trials can show it:
/// two standard errors are allowed. The bench has enough trials for the chance itself.
void expect_found(double least, std::size_t metrics, std::size_t blocks, double drift) {
  simulated_session session;
  session.metrics = metrics;
  session.blocks = blocks;
  session.drift = drift;
  session.effects = {std::log(1.02)};
  const verdict_counts counts = count_verdicts(session, trials, 14);
  const double error = std::sqrt(least * (1 - least) / static_cast<double>(trials));
  EXPECT_GE(counts.share(counts.first_slower), least - 2 * error)
      << metrics << " metrics, " << blocks << " blocks";
}

TEST(comparisons_with_a_planted_difference_of_2_percent, find_it) {
  expect_found(0.88, 1, 8, 0);
  expect_found(0.64, 4, 8, 0);
  expect_found(0.91, 4, 12, 0);
}

TEST(comparisons_with_a_planted_difference_of_2_percent, find_it_with_a_drift) {
  expect_found(0.88, 1, 8, 0.1);
  expect_found(0.91, 4, 12, 0.1);
}

/// The trials find equal arms the same, so the tests above do not pass because nothing is ever
/// told.
TEST(comparisons_of_equal_arms_with_a_small_deviation, say_same) {
  simulated_session session;
  session.deviation = 0.005;
  const verdict_counts counts = count_verdicts(session, trials, 15);
  EXPECT_GE(counts.share(counts.all_same), 0.99);
}

TEST(comparisons_of_the_same_runs_without_blocks, do_not_find_more_differences) {
  simulated_session session;
  session.deviation = 0.05;
  session.drift = 0.1;
  session.paired = false;
  const verdict_counts counts = count_verdicts(session, trials, 16);
  EXPECT_LE(counts.share(counts.any_difference), 0.055);
}

}  // namespace
}  // namespace inferbench::comparison
