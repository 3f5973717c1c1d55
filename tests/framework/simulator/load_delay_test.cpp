#include "simulator/load_delay.hpp"

#include <string>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace inferbench::simulator {
namespace {

TEST(load_delay, a_plain_delay_does_not_depend_on_the_load) {
  const load_delay delay = parse_delays("50ms", "--ttft");
  random_stream draws(1);
  random_stream untouched(1);
  for (const std::size_t active : {0U, 1U, 1000U})
    EXPECT_EQ(delay.sample(draws, active), 50e6);
  EXPECT_EQ(draws.next(), untouched.next());
  EXPECT_EQ(delay.per_active(), 0);
}

TEST(load_delay, a_delay_grows_by_a_time_for_each_active_request) {
  for (const char* text : {"1ms + 0.05ms*active", "1ms+0.05ms*active", " 0.001 +50us * active ",
                           "1e+0ms + 5e-5*active"}) {
    const load_delay delay = parse_delays(text, "--itl");
    random_stream draws(1);
    EXPECT_DOUBLE_EQ(delay.sample(draws, 1), 1.05e6) << text;
    EXPECT_DOUBLE_EQ(delay.sample(draws, 100), 6e6) << text;
    EXPECT_DOUBLE_EQ(delay.mean_alone(), 1e6) << text;
    EXPECT_DOUBLE_EQ(delay.per_active(), 0.05e6) << text;
  }
}

TEST(load_delay, the_sign_of_an_exponent_is_not_the_sum) {
  const load_delay delay = parse_delays("1e+1us + 1e+2us*active", "--itl");
  EXPECT_DOUBLE_EQ(delay.mean_alone(), 1e4);
  EXPECT_DOUBLE_EQ(delay.per_active(), 1e5);
}

TEST(load_delay, a_distribution_grows_too) {
  const load_delay alone = parse_delays("lognormal(50ms,0.3)", "--ttft");
  const load_delay grows = parse_delays("lognormal(50ms,0.3) + 2ms*active", "--ttft");
  random_stream a(7);
  random_stream b(7);
  for (std::size_t active = 0; active < 10; ++active)
    EXPECT_DOUBLE_EQ(grows.sample(a, active),
                     alone.sample(b, active) + 2e6 * static_cast<double>(active));
}

TEST(load_delay, only_a_delay_without_both_parts_is_zero) {
  EXPECT_TRUE(parse_delays("0", "--itl").zero());
  EXPECT_TRUE(parse_delays("0 + 0*active", "--itl").zero());
  EXPECT_FALSE(parse_delays("0 + 1ns*active", "--itl").zero());
  EXPECT_FALSE(parse_delays("1ns", "--itl").zero());
}

TEST(load_delay, a_text_that_is_not_a_delay_is_refused_in_one_line) {
  for (const char* text : {"",
                           "fast",
                           "25h",
                           "uniform(2ms,1ms)",
                           "active",
                           "*active",
                           "+ 0.05ms*active",
                           "1ms + *active",
                           "1ms + active",
                           "1ms + 0.05ms*load",
                           "1ms + 0.05ms*Active",
                           "1ms + 0.05ms*inactive",
                           "1ms + 0.05ms active",
                           "1ms + active*0.05ms",
                           "1ms + 0.05ms*active*active",
                           "1ms + 0.05ms*active + 1ms",
                           "1ms + 2ms",
                           "1ms - 0.05ms*active",
                           "1ms + -0.05ms*active",
                           "1ms + + 0.05ms*active",
                           "1ms + 25h*active",
                           "1ms + nan*active",
                           "1ms + uniform(1ms,2ms)*active",
                           "1ms + 1ms*active,2ms"}) {
    try {
      (void)parse_delays(text, "--itl");
      ADD_FAILURE() << text << " was taken";
    } catch (const base::error& e) {
      EXPECT_EQ(std::string(e.what()),
                "--itl: \"" + std::string(text) +
                    "\" is not a delay; write 50ms, uniform(40ms,60ms), lognormal(50ms,0.3) or 1ms "
                    "+ 0.05ms*active, each time at most 24 hours");
    }
  }
}

TEST(load_delay, growth_without_a_delay_is_refused_with_the_text_to_write) {
  for (const char* text : {"0.05ms*active", " 0.05ms*active "}) {
    try {
      (void)parse_delays(text, "--itl");
      ADD_FAILURE() << text << " was taken";
    } catch (const base::error& e) {
      EXPECT_TRUE(std::string(e.what()).ends_with(
          "is not a delay; begin with the delay without load: write 0ms + 0.05ms*active"))
          << e.what();
    }
  }
  EXPECT_NO_THROW((void)parse_delays("0ms + 0.05ms*active", "--itl"));
}

TEST(load_delay, a_text_with_a_line_ending_is_named_in_one_line) {
  try {
    (void)parse_delays("1ms\n+ 2ms", "--itl");
    ADD_FAILURE() << "it was taken";
  } catch (const base::error& e) {
    EXPECT_EQ(std::string(e.what()).find('\n'), std::string::npos);
  }
}

}  // namespace
}  // namespace inferbench::simulator
