#include "simulator/distribution.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace inferbench::simulator {
namespace {

struct moments {
  double mean = 0;
  double deviation = 0;
  double least = 0;
  double most = 0;
};

moments moments_of(const distribution& from, int count = 200'000) {
  random_stream draws(7);
  std::vector<double> values;
  for (int i = 0; i < count; ++i)
    values.push_back(from.sample(draws));
  moments out;
  for (const double v : values)
    out.mean += v / count;
  for (const double v : values)
    out.deviation += (v - out.mean) * (v - out.mean) / count;
  out.deviation = std::sqrt(out.deviation);
  const auto [least, most] = std::ranges::minmax(values);
  out.least = least;
  out.most = most;
  return out;
}

TEST(distribution, a_constant_is_always_the_same_and_draws_nothing) {
  random_stream draws(1);
  random_stream untouched(1);
  EXPECT_EQ(distributed_delay("50ms")->sample(draws), 50e6);
  EXPECT_EQ(draws.next(), untouched.next());
}

TEST(distribution, a_uniform_one_has_the_moments_of_its_bounds) {
  const auto seen = moments_of(distributed_delay("uniform(40ms, 60ms)").value());
  EXPECT_NEAR(seen.mean, 50e6, 0.05e6);
  EXPECT_NEAR(seen.deviation, 20e6 / std::sqrt(12), 0.05e6);
  EXPECT_GE(seen.least, 40e6);
  EXPECT_LE(seen.most, 60e6);
}

TEST(distribution, a_lognormal_one_has_the_mean_it_was_given) {
  const auto from = distributed_delay("lognormal(50ms,0.3)").value();
  const auto seen = moments_of(from);
  EXPECT_NEAR(from.mean(), 50e6, 1);
  EXPECT_NEAR(seen.mean, 50e6, 0.15e6);
  // deviation = mean * sqrt(exp(sigma^2) - 1)
  EXPECT_NEAR(seen.deviation, 50e6 * std::sqrt(std::exp(0.09) - 1), 0.2e6);
  EXPECT_GT(seen.least, 0);
}

TEST(distribution, the_same_seed_draws_the_same_numbers) {
  const auto from = distributed_delay("lognormal(50ms,0.3)").value();
  random_stream a(seed_of(3, "request-1"));
  random_stream b(seed_of(3, "request-1"));
  random_stream c(seed_of(3, "request-2"));
  random_stream d(seed_of(4, "request-1"));
  const double first = from.sample(a);
  EXPECT_EQ(first, from.sample(b));
  EXPECT_NE(first, from.sample(c));
  EXPECT_NE(first, from.sample(d));
}

// Published values of SplitMix64 for the seed 1234567.
TEST(distribution, the_generator_is_split_mix_64) {
  random_stream draws(1234567);
  EXPECT_EQ(draws.next(), 6457827717110365317U);
  EXPECT_EQ(draws.next(), 3203168211198807973U);
  EXPECT_EQ(draws.next(), 9817491932198370423U);
}

TEST(distribution, units_are_understood) {
  for (const auto& [text, ns] :
       {std::pair{"1500ns", 1500.0}, std::pair{"2us", 2000.0}, std::pair{"1.5ms", 1.5e6},
        std::pair{"2s", 2e9}, std::pair{"0.25", 0.25e9}, std::pair{"0", 0.0},
        std::pair{" 1e1ms ", 1e7}})
    EXPECT_DOUBLE_EQ(distributed_delay(text).value().mean(), ns) << text;
  EXPECT_EQ(parse_counts("uniform(1,256)", "--output-tokens").mean(), 128.5);
}

TEST(distribution, a_time_has_the_same_units) {
  EXPECT_EQ(constant_delay(" 1.5ms "), 1.5e6);
  EXPECT_EQ(constant_delay("0.25"), 0.25e9);
  for (const char* text : {"", "fast", "-1ms", "25h", "nan", "uniform(1ms,2ms)"})
    EXPECT_FALSE(constant_delay(text)) << text;
}

TEST(distribution, any_other_text_is_not_a_distribution_of_delays) {
  for (const char* text : {"",
                           "fast",
                           "-1ms",
                           "10min",
                           "25h",
                           "nan",
                           "inf",
                           "1e30s",
                           "uniform",
                           "uniform(1ms)",
                           "uniform(2ms,1ms)",
                           "uniform(1ms,2ms",
                           "uniform(1ms,2ms)x",
                           "uniform(1ms,2ms,3ms)",
                           "lognormal(0ms,1)",
                           "lognormal(1ms,-1)",
                           "lognormal(1ms,99)",
                           "lognormal(1ms,nan)",
                           "lognormal(1ms,1ms)",
                           "gamma(1ms,2)",
                           "(1ms,2ms)"})
    EXPECT_FALSE(distributed_delay(text)) << text;
  EXPECT_THROW((void)parse_counts("5ms", "--output-tokens"), base::error);
  EXPECT_THROW((void)parse_counts("0", "--output-tokens"), base::error);
}

}  // namespace
}  // namespace inferbench::simulator
