#include "schedule/pattern.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "framework/schedule/shapes.hpp"

namespace inferbench::schedule {

TEST(pattern, an_infinite_rate_is_due_at_once_and_any_other_is_constant) {
  EXPECT_EQ(of_rate(INFINITY), pattern(at_once{}));
  EXPECT_EQ(of_rate(2.5), pattern(constant{2.5}));
  EXPECT_FALSE(paced(of_rate(INFINITY)));
  EXPECT_TRUE(paced(of_rate(2.5)));
  EXPECT_TRUE(paced(ramp{}));
  EXPECT_TRUE(paced(wave));
}

TEST(pattern, only_a_constant_one_has_a_rate_for_the_whole_run) {
  EXPECT_EQ(whole_rate(constant{2.5}), 2.5);
  for (const pattern& other : {pattern(at_once{}), pattern(ramp{false, 1, 9}), pattern(wave)})
    EXPECT_EQ(whole_rate(other), INFINITY);
}

TEST(pattern, a_rate_varies_unless_it_is_constant_or_everything_is_due_at_once) {
  EXPECT_FALSE(varies(at_once{}));
  EXPECT_FALSE(varies(constant{2.5}));
  EXPECT_TRUE(varies(ramp{false, 1, 9}));
  EXPECT_TRUE(varies(stairs));
}

TEST(pattern, upstreams_have_no_text_of_ours) {
  for (const pattern& theirs : {pattern(at_once{}), pattern(constant{2}), pattern(ramp{})})
    EXPECT_EQ(own_text(theirs), "");
  EXPECT_EQ(own_text(wave), "sine:mean=20,amplitude=10,period=60s");
}

TEST(pattern, the_first_requests_have_the_rate_that_traffic_begins_with) {
  EXPECT_EQ(first_rate(at_once{}), INFINITY);
  EXPECT_EQ(first_rate(constant{2.5}), 2.5);
  EXPECT_EQ(first_rate(ramp{false, 3, 9}), 3);
  EXPECT_EQ(first_rate(wave), 20);
  EXPECT_EQ(first_rate(stairs), 10);
  EXPECT_EQ(first_rate(steps{{{0, 0}, {second, 7}}}), 7) << "after a pause at the beginning";
}

TEST(requests_until, are_the_integral_of_the_rate) {
  EXPECT_EQ(requests_until(constant{2.5}, 4), 10);
  EXPECT_EQ(requests_until(at_once{}, 4), INFINITY);
  EXPECT_EQ(requests_until(ramp{false, 1, 9}, 4), INFINITY) << "its rates need a number";
  EXPECT_NEAR(requests_until(wave, 60), 20 * 60, 1e-9) << "a whole period";
  EXPECT_NEAR(requests_until(wave, 30), 20 * 30 + 10 * 60 / std::numbers::pi, 1e-9);
  EXPECT_NEAR(requests_until(stairs, 15), 150, 1e-9);
  EXPECT_NEAR(requests_until(stairs, 50), 300 + 500, 1e-9) << "in the pause";
  EXPECT_NEAR(requests_until(stairs, 70), 300 + 500 + 50, 1e-9);
  for (const double at : {1.0, 17.5, 80.0}) {
    EXPECT_NEAR(time_of(wave, requests_until(wave, at)), at, 1e-6);
    EXPECT_NEAR(time_of(stairs, requests_until(stairs, at)), at, 1e-6);
  }
}

TEST(start_lines, are_upstreams_for_its_patterns_and_one_of_ours_for_others) {
  EXPECT_EQ(start_lines(at_once{}), "Traffic request rate: inf\n");
  EXPECT_EQ(start_lines(constant{10}), "Traffic request rate: 10.0\n");
  EXPECT_EQ(start_lines(ramp{true, 1, 50}),
            "Traffic ramp-up strategy: exponential.\n"
            "Will increase RPS from 1 to 50 RPS over the duration of the benchmark.\n");
  EXPECT_EQ(start_lines(wave), "Traffic pattern: sine:mean=20,amplitude=10,period=60s\n");
  EXPECT_EQ(start_lines(stairs), "Traffic pattern: steps:0s=10,30s=50,40s=0,60s=5\n");
}

TEST(rate_at, of_a_ramp_grows_evenly_or_by_equal_factors_from_the_first_request_to_the_last) {
  const ramp linear{false, 10, 50};
  EXPECT_EQ(rate_at(linear, 0, 5), 10);
  EXPECT_EQ(rate_at(linear, 1, 5), 20);
  EXPECT_EQ(rate_at(linear, 4, 5), 50);
  const ramp exponential{true, 2, 32};
  EXPECT_DOUBLE_EQ(rate_at(exponential, 0, 5), 2);
  EXPECT_DOUBLE_EQ(rate_at(exponential, 1, 5), 4);
  EXPECT_DOUBLE_EQ(rate_at(exponential, 4, 5), 32);
}

TEST(rate_at, of_a_ramp_with_a_single_request_is_the_first) {
  EXPECT_EQ(rate_at(ramp{false, 10, 50}, 0, 1), 10);
  EXPECT_EQ(rate_at(ramp{true, 10, 50}, 0, 1), 10);
}

TEST(rate_at, of_a_sine_swings_about_its_mean_once_a_period) {
  EXPECT_DOUBLE_EQ(rate_at(wave, 0), 20);
  EXPECT_DOUBLE_EQ(rate_at(wave, 15), 30);
  EXPECT_DOUBLE_EQ(rate_at(wave, 45), 10);
  EXPECT_NEAR(rate_at(wave, 75), 30, 1e-12);
}

TEST(rate_at, of_steps_changes_at_the_time_of_each) {
  EXPECT_EQ(rate_at(stairs, 0), 10);
  EXPECT_EQ(rate_at(stairs, 29.999), 10);
  EXPECT_EQ(rate_at(stairs, 30), 50);
  EXPECT_EQ(rate_at(stairs, 59), 0);
  EXPECT_EQ(rate_at(stairs, 1e6), 5);
}

// The integral of the rate, derived by hand: 20 t + 10 * 60 / (2 pi) (1 - cos(2 pi t / 60)).
TEST(time_of, a_sine_is_the_inverse_of_the_integral_of_its_rate) {
  constexpr double pi = std::numbers::pi;
  for (const double amplitude : {0.0, 10.0, 19.999999}) {
    const sine of{20, amplitude, 60 * second};
    for (double t = 0; t < 400; t += 0.37) {
      const double due = 20 * t + amplitude * 60 / (2 * pi) * (1 - std::cos(2 * pi * t / 60));
      // If the rate is almost 0, a small share of a request takes a long time.
      EXPECT_NEAR(time_of(of, due), t, amplitude > 19 ? 2e-4 : 1e-9) << amplitude;
    }
  }
}

TEST(time_of, steps_is_the_time_in_the_step_that_the_request_falls_into) {
  EXPECT_EQ(time_of(stairs, 0), 0);
  EXPECT_EQ(time_of(stairs, 1), 0.1);
  EXPECT_EQ(time_of(stairs, 299), 29.9);
  EXPECT_EQ(time_of(stairs, 350), 31);
  EXPECT_EQ(time_of(stairs, 801), 60.2) << "after the pause from 40 s to 60 s";
  EXPECT_EQ(time_of(stairs, 1800), 260);
}

TEST(time_of, the_edge_of_a_pause_is_its_beginning) {
  EXPECT_EQ(time_of(stairs, 800), 40);
  EXPECT_EQ(time_of(steps{{{0, 0}, {2 * second, 4}}}, 1), 2.25);
}

}  // namespace inferbench::schedule
