#include "schedule/pacer.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "framework/schedule/shapes.hpp"

namespace inferbench::schedule {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(due_times, are_all_zero_for_an_infinite_rate) {
  EXPECT_THAT(due_times({at_once{}, 1, 0}, 5), ElementsAre(0, 0, 0, 0, 0));
}

TEST(due_times, of_nothing_are_empty) {
  EXPECT_THAT(due_times({constant{10}, 1, 0}, 0), IsEmpty());
}

TEST(due_times, are_evenly_spaced_for_infinite_burstiness) {
  EXPECT_THAT(due_times({constant{4}, INFINITY, 0}, 4),
              ElementsAre(250'000'000, 500'000'000, 750'000'000, 1'000'000'000));
}

TEST(due_times, put_the_last_request_at_n_over_the_rate) {
  for (const double burstiness : {0.2, 1.0, 3.0, double{INFINITY}})
    for (const double rate : {0.5, 3.0, 250.0})
      EXPECT_EQ(due_times({constant{rate}, burstiness, 3}, 1000).back(),
                static_cast<std::uint64_t>(std::llround(1000 / rate * 1e9)));
}

TEST(due_times, make_a_single_request_wait_one_interval) {
  EXPECT_THAT(due_times({constant{2}, 1, 0}, 1), ElementsAre(500'000'000));
}

TEST(due_times, never_decrease) {
  const auto due = due_times({constant{1000}, 0.05, 11}, 10'000);
  EXPECT_TRUE(std::ranges::is_sorted(due));
}

TEST(due_times, are_the_same_for_the_same_seed_only) {
  EXPECT_EQ(due_times({constant{10}, 1, 5}, 100), due_times({constant{10}, 1, 5}, 100));
  EXPECT_NE(due_times({constant{10}, 1, 5}, 100), due_times({constant{10}, 1, 6}, 100));
}

TEST(due_times, have_intervals_whose_variation_is_one_over_root_burstiness) {
  for (const double burstiness : {0.25, 1.0, 4.0}) {
    const auto due = due_times({constant{100}, burstiness, 1}, 50'000);
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
  EXPECT_THROW(std::ignore = due_times({constant{1}, 1e-310, 0}, 10), base::error);
  EXPECT_THROW(std::ignore = due_times({constant{1e-9}, 1, 0}, 10), base::error);
  EXPECT_NO_THROW(std::ignore = due_times({constant{1e-3}, 0.01, 0}, 10));
}

TEST(due_times, of_a_ramp_are_the_sums_of_its_intervals) {
  // 1/1 + 1/2 + 1/3 + 1/4
  EXPECT_THAT(due_times({ramp{false, 1, 4}, INFINITY, 0}, 4),
              ElementsAre(1'000'000'000, 1'500'000'000, 1'833'333'333, 2'083'333'333));
  EXPECT_THAT(due_times({ramp{true, 1, 4}, INFINITY, 0}, 3),
              ElementsAre(1'000'000'000, 1'500'000'000, 1'750'000'000));
}

TEST(due_times, of_a_ramp_are_not_stretched) {
  // The rate is 10 as for `constant`, but the last request is not moved to exactly N / r.
  const auto due = due_times({ramp{false, 10, 10}, 1, 3}, 100);
  const auto even = due_times({constant{10}, 1, 3}, 100);
  EXPECT_NE(due.back(), even.back());
  const double stretch = static_cast<double>(even.back()) / static_cast<double>(due.back());
  for (std::size_t i = 0; i < due.size(); ++i)
    EXPECT_NEAR(static_cast<double>(due[i]) * stretch, static_cast<double>(even[i]), 2)
        << "the same random numbers, request " << i;
}

TEST(due_times, refuse_a_ramp_that_never_comes_off_the_ground) {
  try {
    std::ignore = due_times({ramp{false, 1e-12, 1}, 1, 0}, 10);
    FAIL();
  } catch (const base::error& e) {
    EXPECT_STREQ(e.what(),
                 "no schedule of 10 requests can be made of rates from 1e-12 and the burstiness "
                 "1.0; give larger ones with --ramp-up-start-rps and --burstiness");
  }
}

TEST(rate_changes, log_each_whole_rate_when_its_first_request_is_due) {
  EXPECT_THAT(
      rate_changes(ramp{false, 1, 4}, std::vector<std::uint64_t>{5, 6, 7, 8}),
      ElementsAre(rate_change{1, 0}, rate_change{2, 6}, rate_change{3, 7}, rate_change{4, 8}));
}

TEST(rate_changes, several_that_are_crossed_at_once_have_one_time) {
  EXPECT_THAT(rate_changes(ramp{false, 1, 5}, std::vector<std::uint64_t>{5, 6}),
              ElementsAre(rate_change{1, 0}, rate_change{2, 6}, rate_change{3, 6},
                          rate_change{4, 6}, rate_change{5, 6}));
}

TEST(rate_changes, of_a_rate_that_stays_are_its_beginning) {
  EXPECT_THAT(rate_changes(ramp{false, 7, 7}, std::vector<std::uint64_t>{5, 6}),
              ElementsAre(rate_change{7, 0}));
}

TEST(rate_changes, do_not_fill_the_memory) {
  EXPECT_EQ(rate_changes(ramp{true, 1, 1e15}, std::vector<std::uint64_t>{1, 2, 3}).size(),
            100'000U);
}

TEST(rate_changes, exist_only_for_a_ramp) {
  EXPECT_THAT(rate_changes(constant{7}, std::vector<std::uint64_t>{5, 6}), IsEmpty());
  EXPECT_THAT(rate_changes(stairs, std::vector<std::uint64_t>{5, 6}), IsEmpty());
}

/// The number of due times in [from_s, to_s).
std::ptrdiff_t between(const std::vector<std::uint64_t>& due, double from_s, double to_s) {
  const auto at = [&](double s) {
    return std::ranges::lower_bound(due, static_cast<std::uint64_t>(s * 1e9));
  };
  return at(to_s) - at(from_s);
}

TEST(due_times, of_even_steps_have_the_gaps_of_their_step) {
  const auto due = due_times({stairs, INFINITY, 0}, 900);
  EXPECT_THAT(std::vector(due.begin(), due.begin() + 3),
              ElementsAre(100'000'000, 200'000'000, 300'000'000));
  EXPECT_EQ(between(due, 0, 30), 299);  // the next is at 30 s
  EXPECT_EQ(between(due, 30, 40), 500);
  EXPECT_EQ(between(due, 40, 60), 1);  // at the beginning of the pause
  EXPECT_EQ(between(due, 60, 80), 99);
  EXPECT_EQ(due.back(), 80'000'000'000U);
}

TEST(due_times, of_an_even_sine_are_mean_times_period_in_each_period_and_more_in_its_first_half) {
  const auto due = due_times({wave, INFINITY, 0}, 6000);
  for (const double period : {0.0, 60.0, 240.0}) {
    EXPECT_NEAR(static_cast<double>(between(due, period, period + 60)), 1200, 1);
    // 20 * 30 + 10 * 60 / pi
    EXPECT_NEAR(static_cast<double>(between(due, period, period + 30)), 790.99, 1);
  }
}

TEST(due_times, of_random_steps_are_as_many_as_the_rate_and_vary_like_a_poisson_process) {
  double sum = 0, squares = 0;
  constexpr int seeds = 400;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const auto due = due_times({stairs, 1, seed}, 1200);
    ASSERT_TRUE(std::ranges::is_sorted(due));
    EXPECT_EQ(between(due, 40.000001, 60), 0) << "a pause";
    const auto n = static_cast<double>(between(due, 30, 40));
    sum += n;
    squares += n * n;
  }
  const double mean = sum / seeds;
  EXPECT_NEAR(mean, 500, 5 * std::sqrt(500.0 / seeds));
  EXPECT_NEAR((squares / seeds - mean * mean) / 500, 1, 0.3);
}

/// The Kolmogorov-Smirnov statistic of the times up to `end_s`: the largest distance between the
/// actual and the expected share of the times up to each time, multiplied by the square root of the
/// number of times.
template <typename function>
double distance(const std::vector<std::uint64_t>& due, double end_s, function&& expected) {
  const auto n = static_cast<double>(between(due, 0, end_s));
  double most = 0;
  for (double i = 0; i < n; ++i) {
    const double share =
        expected(static_cast<double>(due[static_cast<std::size_t>(i)]) / 1e9) / expected(end_s);
    most = std::max({most, share - i / n, (i + 1) / n - share});
  }
  return most * std::sqrt(n);
}

TEST(due_times, of_a_random_sine_follow_the_integral_of_its_rate) {
  constexpr double pi = std::numbers::pi;
  const auto integral = [](double t) {
    return 20 * t + 10 * 60 / (2 * pi) * (1 - std::cos(2 * pi * t / 60));
  };
  // With correct times the statistic exceeds 1.63 in one of a hundred cases. With a wrong amplitude
  // or phase it is far larger.
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const auto due = due_times({wave, 1, seed}, 20'000);
    ASSERT_TRUE(std::ranges::is_sorted(due));
    EXPECT_LT(distance(due, 900, integral), 1.63) << seed;
    EXPECT_GT(distance(due, 900, [](double t) { return t; }), 1.63) << "an even rate " << seed;
  }
}

TEST(due_times, of_a_pattern_over_time_keep_the_variation_of_the_gaps) {
  // One step is a renewal process: the coefficient of variation of gamma gaps is 1 / sqrt(b).
  for (const double burstiness : {0.25, 1.0, 4.0}) {
    const auto due = due_times({steps{{{0, 100}}}, burstiness, 1}, 50'000);
    double squares = 0;
    std::uint64_t last = 0;
    for (const std::uint64_t t : due) {
      const double gap = static_cast<double>(t - last) / 1e9 * 100;
      squares += gap * gap;
      last = t;
    }
    const double n = static_cast<double>(due.size());
    EXPECT_NEAR(static_cast<double>(due.back()) / 1e7 / n, 1, 0.05);
    EXPECT_NEAR(std::sqrt(squares / n - 1), 1 / std::sqrt(burstiness), 0.06);
  }
}

TEST(due_times, of_patterns_over_time_are_the_same_for_ever) {
  EXPECT_THAT(due_times({wave, 1, 0}, 4),
              ElementsAre(39'752'355, 102'316'199, 148'176'618, 187'194'120));
  EXPECT_THAT(due_times({stairs, 0.5, 7}, 4),
              ElementsAre(1'164'591, 39'605'122, 54'017'019, 158'257'030));
}

TEST(due_times, refuse_a_pattern_over_time_that_yields_none) {
  for (const double burstiness : {1e-310, 1.0})
    try {
      std::ignore = due_times({steps{{{0, 1e-12}}}, burstiness, 0}, 10);
      FAIL();
    } catch (const base::error& e) {
      EXPECT_STREQ(e.message().c_str(),
                   ("no schedule of 10 requests can be made of the traffic steps:0s=1e-12 and the "
                    "burstiness " +
                    base::shortest(burstiness))
                       .c_str());
      EXPECT_EQ(e.remedy(), "give larger ones with --traffic and --burstiness");
    }
}

}  // namespace inferbench::schedule
