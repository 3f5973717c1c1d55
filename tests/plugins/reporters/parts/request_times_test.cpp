#include "reporters/common/request_times.hpp"

#include <array>

#include <gtest/gtest.h>

namespace {

ifb_record answered() {
  ifb_record r{};
  r.struct_size = sizeof r;
  r.status = IFB_OK;
  r.start_ns = 100;
  r.first_token_ns = 150;
  r.last_token_ns = 250;
  r.end_ns = 300;
  r.output_tokens = 3;
  return r;
}

TEST(request_times, latencies_follow_the_formulas_of_the_figures) {
  const auto times = reporters::latencies_of(answered(), false);
  EXPECT_EQ(times.ttft_ns, 50U);
  EXPECT_EQ(times.tpot_ns, 50.0);
  EXPECT_EQ(times.e2el_ns, 150U);
  EXPECT_FALSE(times.longest_gap_ns);
  const auto whole = reporters::latencies_of(answered(), true);
  EXPECT_FALSE(whole.ttft_ns);
  EXPECT_EQ(whole.e2el_ns, 200U);
}

TEST(request_times, a_failed_request_has_only_its_longest_gap) {
  ifb_record r = answered();
  const std::array<std::uint64_t, 4> stamps{150, 160, 220, 210};
  r.token_ns = stamps.data();
  r.token_count = stamps.size();
  r.status = IFB_E_REMOTE;
  const auto times = reporters::latencies_of(r, false);
  EXPECT_FALSE(times.ttft_ns || times.tpot_ns || times.e2el_ns);
  EXPECT_EQ(times.longest_gap_ns, 60U);
}

TEST(request_times, one_token_has_no_time_per_token) {
  ifb_record r = answered();
  r.output_tokens = 1;
  EXPECT_FALSE(reporters::latencies_of(r, false).tpot_ns);
  r.last_token_ns = r.first_token_ns = 0;
  EXPECT_FALSE(reporters::latencies_of(r, false).e2el_ns);
}

TEST(request_times, a_stamp_may_lie_before_the_start_of_the_run) {
  EXPECT_EQ(reporters::relative(90, 100), -10);
  EXPECT_FALSE(reporters::relative(0, 100));
}

}  // namespace
