#include "schedule/pacer.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace inferbench::schedule {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(due_times, are_all_zero_for_an_infinite_rate) {
  EXPECT_THAT(due_times({INFINITY, 1, 0}, 5), ElementsAre(0, 0, 0, 0, 0));
}

TEST(due_times, of_nothing_are_empty) { EXPECT_THAT(due_times({10, 1, 0}, 0), IsEmpty()); }

TEST(due_times, are_evenly_spaced_for_infinite_burstiness) {
  EXPECT_THAT(due_times({4, INFINITY, 0}, 4),
              ElementsAre(250'000'000, 500'000'000, 750'000'000, 1'000'000'000));
}

TEST(due_times, put_the_last_request_at_n_over_the_rate) {
  for (const double burstiness : {0.2, 1.0, 3.0, double{INFINITY}})
    for (const double rate : {0.5, 3.0, 250.0})
      EXPECT_EQ(due_times({rate, burstiness, 3}, 1000).back(),
                static_cast<std::uint64_t>(std::llround(1000 / rate * 1e9)));
}

TEST(due_times, make_a_single_request_wait_one_interval) {
  EXPECT_THAT(due_times({2, 1, 0}, 1), ElementsAre(500'000'000));
}

TEST(due_times, never_decrease) {
  const auto due = due_times({1000, 0.05, 11}, 10'000);
  EXPECT_TRUE(std::ranges::is_sorted(due));
}

TEST(due_times, are_the_same_for_the_same_seed_only) {
  EXPECT_EQ(due_times({10, 1, 5}, 100), due_times({10, 1, 5}, 100));
  EXPECT_NE(due_times({10, 1, 5}, 100), due_times({10, 1, 6}, 100));
}

TEST(due_times, have_intervals_whose_variation_is_one_over_root_burstiness) {
  for (const double burstiness : {0.25, 1.0, 4.0}) {
    const auto due = due_times({100, burstiness, 1}, 50'000);
    double sum = 0;
    double squares = 0;
    std::uint64_t last = 0;
    for (const std::uint64_t t : due) {
      const double gap = static_cast<double>(t - last) / 1e9;
      last = t;
      sum += gap;
      squares += gap * gap;
    }
    const double n = static_cast<double>(due.size());
    const double mean = sum / n;
    EXPECT_NEAR(std::sqrt(squares / n - mean * mean) / mean, 1 / std::sqrt(burstiness), 0.05);
  }
}

TEST(due_times, refuse_numbers_that_yield_no_times) {
  EXPECT_THROW(std::ignore = due_times({1, 1e-310, 0}, 10), base::error);
  EXPECT_THROW(std::ignore = due_times({1e-9, 1, 0}, 10), base::error);
  EXPECT_NO_THROW(std::ignore = due_times({1e-3, 0.01, 0}, 10));
}

TEST(rate_at, grows_evenly_or_by_equal_factors_from_the_first_request_to_the_last) {
  const ramp linear{false, 10, 50};
  EXPECT_EQ(rate_at(linear, 0, 5), 10);
  EXPECT_EQ(rate_at(linear, 1, 5), 20);
  EXPECT_EQ(rate_at(linear, 4, 5), 50);
  const ramp exponential{true, 2, 32};
  EXPECT_DOUBLE_EQ(rate_at(exponential, 0, 5), 2);
  EXPECT_DOUBLE_EQ(rate_at(exponential, 1, 5), 4);
  EXPECT_DOUBLE_EQ(rate_at(exponential, 4, 5), 32);
}

TEST(rate_at, of_a_single_request_is_the_first) {
  EXPECT_EQ(rate_at({false, 10, 50}, 0, 1), 10);
  EXPECT_EQ(rate_at({true, 10, 50}, 0, 1), 10);
}

TEST(due_times, of_a_ramp_are_the_sums_of_its_intervals) {
  // 1/1 + 1/2 + 1/3 + 1/4
  EXPECT_THAT(due_times({INFINITY, INFINITY, 0, ramp{false, 1, 4}}, 4),
              ElementsAre(1'000'000'000, 1'500'000'000, 1'833'333'333, 2'083'333'333));
  EXPECT_THAT(due_times({INFINITY, INFINITY, 0, ramp{true, 1, 4}}, 3),
              ElementsAre(1'000'000'000, 1'500'000'000, 1'750'000'000));
}

TEST(due_times, of_a_ramp_are_not_stretched) {
  // The mean rate is 10, but which request the seed makes late stays visible.
  const auto due = due_times({INFINITY, 1, 3, ramp{false, 10, 10}}, 100);
  const auto even = due_times({10, 1, 3}, 100);
  EXPECT_NE(due.back(), even.back());
  const double stretch = static_cast<double>(even.back()) / static_cast<double>(due.back());
  for (std::size_t i = 0; i < due.size(); ++i)
    EXPECT_NEAR(static_cast<double>(due[i]) * stretch, static_cast<double>(even[i]), 2)
        << "the same random numbers, request " << i;
}

TEST(due_times, refuse_a_ramp_that_never_comes_off_the_ground) {
  try {
    std::ignore = due_times({INFINITY, 1, 0, ramp{false, 1e-12, 1}}, 10);
    FAIL();
  } catch (const base::error& e) {
    EXPECT_STREQ(e.what(),
                 "no schedule of 10 requests can be made of rates from 1e-12 and the burstiness "
                 "1.0; give larger ones with --ramp-up-start-rps and --burstiness");
  }
}

TEST(rate_changes, log_each_whole_rate_when_its_first_request_is_due) {
  EXPECT_THAT(
      rate_changes({false, 1, 4}, std::vector<std::uint64_t>{5, 6, 7, 8}),
      ElementsAre(rate_change{1, 0}, rate_change{2, 6}, rate_change{3, 7}, rate_change{4, 8}));
}

TEST(rate_changes, several_that_are_crossed_at_once_have_one_time) {
  EXPECT_THAT(rate_changes({false, 1, 5}, std::vector<std::uint64_t>{5, 6}),
              ElementsAre(rate_change{1, 0}, rate_change{2, 6}, rate_change{3, 6},
                          rate_change{4, 6}, rate_change{5, 6}));
}

TEST(rate_changes, of_a_rate_that_stays_are_its_beginning) {
  EXPECT_THAT(rate_changes({false, 7, 7}, std::vector<std::uint64_t>{5, 6}),
              ElementsAre(rate_change{7, 0}));
}

TEST(rate_changes, do_not_fill_the_memory) {
  EXPECT_EQ(rate_changes({true, 1, 1e15}, std::vector<std::uint64_t>{1, 2, 3}).size(), 100'000U);
}

}  // namespace inferbench::schedule
