#include "calibration/workload.hpp"

#include <gtest/gtest.h>

namespace inferbench::calibration {
namespace {

TEST(workload, an_answer_takes_ttft_and_a_gap_for_each_further_token) {
  workload load({50, 10}, {});
  EXPECT_EQ(load.add(0, 1), 50);
  EXPECT_EQ(load.add(0, 0), 50);
  EXPECT_EQ(load.add(1000, 5), 1090);
}

TEST(workload, without_a_limit_all_requests_run_at_the_same_time) {
  workload load({50, 0}, {});
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(load.add(0, 7), 50);
}

TEST(workload, with_a_cap_a_request_waits_for_the_first_that_ends) {
  workload load({0, 1}, 2);
  EXPECT_EQ(load.add(0, 11), 10);
  EXPECT_EQ(load.add(0, 31), 30);
  EXPECT_EQ(load.add(0, 11), 20);
  EXPECT_EQ(load.add(0, 11), 30);
  EXPECT_EQ(load.add(100, 11), 110);
}

TEST(workload, a_cap_that_is_never_reached_delays_nothing) {
  workload load({10, 0}, 1);
  for (int i = 0; i < 10; ++i)
    EXPECT_EQ(load.add(i * 10, 1), i * 10 + 10);
}

TEST(workload, delays_that_grow_count_the_requests_in_flight) {
  workload load({50, 10, 2, 1}, {});
  EXPECT_EQ(load.add(0, 11), 50 + 2 + 10 * (10 + 1));
  EXPECT_EQ(load.add(0, 11), 50 + 4 + 10 * (10 + 2));
  EXPECT_EQ(load.add(162, 11), 162 + 50 + 4 + 10 * (10 + 2)) << "the first has ended";
  EXPECT_EQ(load.add(1000, 1), 1052) << "all have ended";
}

TEST(workload, delays_that_grow_reach_the_cap) {
  workload load({0, 0, 0, 1}, 2);
  EXPECT_EQ(load.add(0, 11), 10);
  EXPECT_EQ(load.add(0, 11), 20);
  EXPECT_EQ(load.add(0, 11), 10 + 20) << "in the place of the first";
  EXPECT_EQ(load.add(0, 11), 20 + 20);
}

}  // namespace
}  // namespace inferbench::calibration
