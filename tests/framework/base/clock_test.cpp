#include "base/clock.hpp"

#include <gtest/gtest.h>

namespace inferbench::base {

TEST(monotonic_clock, never_goes_back) {
  const monotonic_clock c;
  std::uint64_t last = c.now();
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t now = c.now();
    ASSERT_GE(now, last);
    last = now;
  }
}

TEST(unix_now, is_later_than_the_time_of_writing_this_test) {
  EXPECT_GT(unix_now(), 1'790'000'000LL * static_cast<std::int64_t>(ns_per_s));
}

}  // namespace inferbench::base
