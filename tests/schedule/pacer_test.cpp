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

}  // namespace inferbench::schedule
