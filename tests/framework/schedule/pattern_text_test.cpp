#include "schedule/pattern_text.hpp"

#include <string>
#include <tuple>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace inferbench::schedule {
namespace {

constexpr std::int64_t second = 1'000'000'000;

std::string refusal(std::string_view text) {
  try {
    std::ignore = parse_pattern(text);
    return "taken";
  } catch (const base::error& e) {
    return e.what();
  }
}

TEST(pattern_text, a_sine_has_a_mean_an_amplitude_and_a_period_in_any_order) {
  const pattern expected = sine{20, 10, 60 * second};
  EXPECT_EQ(parse_pattern("sine:mean=20,amplitude=10,period=60s"), expected);
  EXPECT_EQ(parse_pattern(" sine: period=1m, mean = 2e1 ,amplitude=10.0 "), expected);
  EXPECT_EQ(parse_pattern("sine:mean=0.5,amplitude=0,period=250ms"),
            pattern(sine{0.5, 0, second / 4}));
}

TEST(pattern_text, steps_have_a_rate_from_each_time_on) {
  EXPECT_EQ(parse_pattern("steps:0s=10,30s=50"), pattern(steps{{{0, 10}, {30 * second, 50}}}));
  EXPECT_EQ(parse_pattern("steps:0=0,1.5s=0.25,2m=0,2.5m=8"),
            pattern(steps{{{0, 0}, {3 * second / 2, 0.25}, {120 * second, 0}, {150 * second, 8}}}));
}

TEST(pattern_text, a_written_pattern_is_read_as_the_same_pattern) {
  for (const std::string text :
       {"sine:mean=20,amplitude=10,period=60s", "sine:mean=0.1,amplitude=0.05,period=1500ms",
        "steps:0s=10", "steps:0s=0,30s=50.5,90s=1e-07"}) {
    const pattern read = parse_pattern(text);
    const std::string written = own_text(read);
    EXPECT_EQ(written, text);
    EXPECT_EQ(parse_pattern(written), read);
  }
}

TEST(pattern_text, each_example_can_be_read) {
  const std::string both = pattern_examples();
  const auto at = both.find(" or ");
  EXPECT_TRUE(std::holds_alternative<sine>(parse_pattern(both.substr(0, at))));
  EXPECT_TRUE(std::holds_alternative<steps>(parse_pattern(both.substr(at + 4))));
}

TEST(pattern_text, the_error_for_an_unknown_pattern_lists_the_patterns) {
  const std::string there_is =
      "; write for example sine:mean=20,amplitude=10,period=60s or steps:0s=10,30s=50";
  EXPECT_EQ(refusal(""), "there is no traffic pattern \"\"" + there_is);
  EXPECT_EQ(refusal("square:mean=1"), "there is no traffic pattern \"square\"" + there_is);
  EXPECT_EQ(refusal("Sine:mean=1"), "there is no traffic pattern \"Sine\"; did you mean sine?");
  EXPECT_EQ(refusal("20"), "there is no traffic pattern \"20\"" + there_is);
}

TEST(pattern_text, a_sine_needs_each_of_its_parameters_once) {
  const std::string write = "; write for example sine:mean=20,amplitude=10,period=60s";
  EXPECT_EQ(refusal("sine"), "expected NAME=VALUE of sine, not \"\"" + write);
  EXPECT_EQ(refusal("sine:mean=20,"), "expected NAME=VALUE of sine, not \"\"" + write);
  EXPECT_EQ(refusal("sine:mean"), "expected NAME=VALUE of sine, not \"mean\"" + write);
  EXPECT_EQ(refusal("sine:=3"), "expected NAME=VALUE of sine, not \"=3\"" + write);
  EXPECT_EQ(refusal("sine:mean=20,amplitude=10"), "sine needs its period" + write);
  EXPECT_EQ(refusal("sine:amplitude=10,period=1s"), "sine needs its mean" + write);
  EXPECT_EQ(refusal("sine:mean=2,mean=3"), "sine is given its mean twice; leave one of them out");
  EXPECT_EQ(refusal("sine:mean=2,amplitud=3"),
            "sine has no parameter \"amplitud\"; did you mean amplitude?");
  EXPECT_EQ(refusal("sine:mean=2,x=3"),
            "sine has no parameter \"x\"; it has mean, amplitude and period");
}

TEST(pattern_text, rates_are_finite_numbers_that_are_not_below_zero) {
  for (const std::string bad : {"nan", "inf", "-1", "x", "1e999", "10/s"}) {
    EXPECT_EQ(refusal("sine:mean=" + bad + ",amplitude=0,period=1s"),
              "expected requests per second for mean, not \"" + bad +
                  "\"; give a number that is finite and not below 0");
    EXPECT_EQ(refusal("steps:0s=" + bad), "expected requests per second for 0s, not \"" + bad +
                                              "\"; give a number that is finite and not below 0");
  }
}

TEST(pattern_text, the_rate_of_a_sine_stays_above_zero) {
  EXPECT_EQ(refusal("sine:mean=20,amplitude=20,period=60s"),
            "the amplitude of sine, 20, is not below its mean, 20: the rate would reach 0; lower "
            "the amplitude or raise the mean");
  EXPECT_NE(refusal("sine:mean=0,amplitude=0,period=60s"), "taken");
  EXPECT_EQ(refusal("sine:mean=20,amplitude=19.999,period=60s"), "taken");
}

TEST(pattern_text, the_period_of_a_sine_is_a_time_above_zero) {
  EXPECT_EQ(refusal("sine:mean=2,amplitude=1,period=0s"),
            "sine has a period of 0; give a longer one, as period=60s");
  for (const std::string bad : {"-1s", "soon", "nan", "1e300s"})
    EXPECT_EQ(refusal("sine:mean=2,amplitude=1,period=" + bad),
              "expected a period above 0, not \"" + bad + "\"; write it as 30s, 500ms or 2m");
}

TEST(pattern_text, steps_begin_at_zero_and_come_in_order) {
  EXPECT_EQ(refusal("steps:"),
            "expected TIME=RATE of steps, not \"\"; write for example steps:0s=10,30s=50");
  EXPECT_EQ(refusal("steps:10"),
            "expected TIME=RATE of steps, not \"10\"; write for example steps:0s=10,30s=50");
  EXPECT_EQ(refusal("steps:5s=10"),
            "the first step begins at 5s; begin with a rate from 0s on, or with 0s=0 for a pause");
  EXPECT_EQ(refusal("steps:0s=10,30s=5,30s=6"),
            "the step at 30s does not come after the step at 30s; give the steps in the order of "
            "their times");
  EXPECT_EQ(refusal("steps:0s=10,30s=5,20s=6"),
            "the step at 20s does not come after the step at 30s; give the steps in the order of "
            "their times");
  EXPECT_EQ(refusal("steps:0s=10,later=5"),
            "expected the time of a step, not \"later\"; write it as 30s, 500ms or 2m");
  EXPECT_EQ(refusal("steps:0s=10,-3s=5"),
            "expected the time of a step, not \"-3s\"; write it as 30s, 500ms or 2m");
}

TEST(pattern_text, a_step_may_pause_the_traffic_but_not_stop_it_for_ever) {
  EXPECT_EQ(refusal("steps:0s=10,30s=0,40s=10"), "taken");
  EXPECT_EQ(refusal("steps:0s=10,30s=0"),
            "the last step, at 30s, has a rate of 0: later requests would never be sent; "
            "end with a rate above 0; --num-prompts ends the run");
}

}  // namespace
}  // namespace inferbench::schedule
