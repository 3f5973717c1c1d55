#include "startup/poll_interval.hpp"

#include <gtest/gtest.h>

namespace inferbench::startup {
namespace {

using base::ns_per_ms;
using base::ns_per_s;

TEST(poll_interval, is_a_share_of_the_time_so_far_within_limits) {
  EXPECT_EQ(listening_interval(0), ns_per_ms);
  EXPECT_EQ(listening_interval(5 * ns_per_s), 5 * ns_per_ms);
  EXPECT_EQ(listening_interval(3600 * ns_per_s), 20 * ns_per_ms);
  EXPECT_EQ(ready_interval(0), ns_per_ms);
  EXPECT_EQ(ready_interval(10 * ns_per_s), 50 * ns_per_ms);
  EXPECT_EQ(ready_interval(3600 * ns_per_s), 250 * ns_per_ms);
}

}  // namespace
}  // namespace inferbench::startup
