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

TEST(clock, has_the_date_of_the_system_unless_it_is_overridden) {
  class held final : public clock {
   public:
    [[nodiscard]] std::uint64_t now() const noexcept override { return 1; }
    [[nodiscard]] std::int64_t unix_now() const noexcept override { return 2; }
  };
  const monotonic_clock system;
  const std::int64_t before = unix_now();
  EXPECT_GE(system.unix_now(), before);
  const held still;
  EXPECT_EQ(static_cast<const clock&>(still).unix_now(), 2);
}

TEST(unix_now, is_later_than_the_time_of_writing_this_test) {
  EXPECT_GT(unix_now(), 1'790'000'000LL * static_cast<std::int64_t>(ns_per_s));
}

}  // namespace inferbench::base
