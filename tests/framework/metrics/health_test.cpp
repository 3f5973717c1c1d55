#include "metrics/health.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "health_of.hpp"

namespace inferbench::metrics {
namespace {

using base::ns_per_us;
using testing::ElementsAre;
using testing::IsEmpty;
using testing_::forget_bounds;
using testing_::good;
using testing_::off_by;
using testing_::ttft_bound;
using testing_::with;

TEST(judge, a_client_that_keeps_up_is_valid_and_needs_no_reason) {
  const verdict v = judge(good());
  EXPECT_EQ(v.level, validity::valid);
  EXPECT_THAT(v.reasons, IsEmpty());
  EXPECT_THAT(v.causes, IsEmpty());
  EXPECT_EQ(judge({}).level, validity::valid);  // without observations the run is valid
}

TEST(judge, a_figure_may_be_off_by_half_a_millisecond_or_a_hundredth_whichever_is_larger) {
  EXPECT_EQ(off_by(10, 0.5).level, validity::valid);
  EXPECT_EQ(off_by(10, 0.501).level, validity::suspect);
  EXPECT_EQ(off_by(10, 5).level, validity::suspect);
  EXPECT_EQ(off_by(10, 5.01).level, validity::invalid);
  EXPECT_EQ(off_by(1000, 10).level, validity::valid);
  EXPECT_EQ(off_by(1000, 10.1).level, validity::suspect);
  EXPECT_EQ(off_by(1000, 100).level, validity::suspect);
  EXPECT_EQ(off_by(1000, 101).level, validity::invalid);
  EXPECT_EQ(off_by(0, 0.6).level, validity::suspect);
}

TEST(judge, the_worst_figure_of_a_level_is_named_and_the_others_are_counted) {
  const verdict v = with([](client_health& h) {
    h.bounds = {ttft_bound({100, 3}, {100, 0.2}, {151.8, 12.3}),
                ttft_bound({100, 2}, {100, 4}, {10, 7.5}), ttft_bound({}, {}, {0, 0.75})};
    h.bounds[1].of = metric::itl;
    h.bounds[2].of = metric::e2el;
  });
  EXPECT_EQ(v.level, validity::invalid);
  EXPECT_THAT(
      v.reasons,
      ElementsAre(
          "P99 ITL may be off by up to 7.5 ms, 75 % of it, because of the client itself "
          "(limit 10 % or 5 ms, whichever is larger): use more --workers, or a machine "
          "with more free cores",
          "P99 TTFT may be off by up to 12.3 ms, 8.11 % of it, because of the client itself "
          "(limit 1 % or 0.5 ms, whichever is larger); 4 further figures are beyond the "
          "limit, too: use more --workers, or a machine with more free cores"));
  EXPECT_THAT(
      with([](client_health& h) { h.bounds = {ttft_bound({0, 1}, {0, 0.7}, {0, 0.1})}; }).reasons,
      ElementsAre("mean TTFT may be off by up to 1 ms because of the client itself (limit "
                  "1 % or 0.5 ms, whichever is larger); 1 further figure is beyond the "
                  "limit, too: use more --workers, or a machine with more free cores"));
}

TEST(judge, a_figure_that_is_not_printed_is_not_judged) {
  EXPECT_EQ(with([](client_health& h) {
              h.bounds = {ttft_bound({10, 9}, {10, 0.1}, {10, 0.1})};
              h.bounds[0].shown = printed::median_and_p99;
            }).level,
            validity::valid);
}

TEST(judge, with_stamps_of_unknown_lateness_the_event_loop_is_judged) {
  const auto busy = [](std::uint64_t us, bool known) {
    return with([&](client_health& h) {
      if (!known) forget_bounds(h);
      h.workers[0].loop_lag.add(us * ns_per_us, 20'000);
    });
  };
  EXPECT_EQ(busy(6200, true).level, validity::valid);
  EXPECT_EQ(busy(400, false).level, validity::valid);
  EXPECT_THAT(busy(3100, false).reasons,
              ElementsAre("the client's event loop was busy for 3.1 ms at P99 (limit 0.5 ms): use "
                          "more --workers, or a machine with more free cores"));
  EXPECT_EQ(busy(6200, false).level, validity::invalid);
}

TEST(judge, with_stamps_of_unknown_lateness_a_standstill_is_judged) {
  const auto still = [](std::uint64_t ms, bool known) {
    return with([&](client_health& h) {
      if (!known) forget_bounds(h);
      h.workers[0].standstills = 2;
      h.workers[0].longest_standstill_ns = ms * base::ns_per_ms;
    });
  };
  EXPECT_EQ(still(80, true).level, validity::valid) << "the bounds say what it did";
  EXPECT_EQ(still(80, false).level, validity::invalid);
  const verdict v = still(12, false);
  EXPECT_EQ(v.level, validity::suspect);
  EXPECT_THAT(v.reasons,
              ElementsAre("the client did not look at its sockets for more than 10 ms 2 times, the "
                          "longest for 12 ms, as if it was stopped or had no core (limit 0): keep "
                          "other programs off this machine, or use fewer --workers"));
  EXPECT_THAT(v.causes, IsEmpty()) << "it is a reason already";
}

TEST(judge, a_bound_with_a_cause_leaves_the_remedy_to_the_cause) {
  const verdict v = with([](client_health& h) {
    h.bounds = {ttft_bound({}, {}, {10, 1})};
    h.workers[0].standstills = 1;
    h.workers[0].longest_standstill_ns = 30 * base::ns_per_ms;
  });
  EXPECT_THAT(v.reasons,
              ElementsAre("P99 TTFT may be off by up to 1 ms, 10 % of it, because of "
                          "the client itself (limit 1 % or 0.5 ms, whichever is larger)"));
  EXPECT_EQ(v.causes.size(), 1U);
}

TEST(judged_p99, is_exceeded_by_one_in_a_hundred_and_by_one_at_least) {
  for (const std::uint64_t count : {2U, 3U, 99U, 100U, 101U, 199U, 200U, 250U, 1000U}) {
    base::histogram h;
    for (std::uint64_t i = 1; i <= count; ++i)
      h.add(i);
    const std::uint64_t aside = std::max<std::uint64_t>(count / 100, 1);
    EXPECT_NEAR(judged_p99(h), static_cast<double>(count - aside), 1e-6) << count;
  }
  base::histogram one;
  EXPECT_EQ(judged_p99(one), 0);
  one.add(5);
  EXPECT_EQ(judged_p99(one), 0);
}

TEST(name_of, the_three_verdicts) {
  EXPECT_EQ(name_of(validity::valid), "VALID");
  EXPECT_EQ(name_of(validity::suspect), "SUSPECT");
  EXPECT_EQ(name_of(validity::invalid), "INVALID");
}

}  // namespace
}  // namespace inferbench::metrics
