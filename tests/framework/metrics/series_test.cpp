#include "metrics/series.hpp"

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace inferbench::metrics {
namespace {

const std::vector<double> percentiles = {0, 1, 50, 90, 99, 99.9, 100};

void expect_within(const statistics& bounded, const statistics& exact, double error) {
  EXPECT_EQ(bounded.count, exact.count);
  const auto near = [&](double a, double b, double part) {
    EXPECT_NEAR(a, b, std::abs(b) * part) << exact.count << " values";
  };
  near(bounded.mean, exact.mean, 1e-9 + error / 100);
  near(bounded.minimum, exact.minimum, 1e-12 + error / 2);
  near(bounded.maximum, exact.maximum, 1e-12 + error / 2);
  near(bounded.deviation, exact.deviation, 1e-6 + error);
  near(bounded.median, exact.median, error);
  for (std::size_t i = 0; i < percentiles.size(); ++i)
    near(bounded.quantiles[i], exact.quantiles[i], error);
}

TEST(series, a_bounded_one_is_at_most_a_thousandth_off) {
  std::mt19937_64 random(3);
  for (const double typical : {5.0, 3e3, 2e7, 4e12}) {
    std::lognormal_distribution<double> time(std::log(typical), 1.0);
    exact_series exact;
    bounded_series bounded;
    for (int i = 0; i < 20'000; ++i) {
      const auto from = random() % 1'000'000;
      const auto to = from + static_cast<std::uint64_t>(time(random));
      exact.add(latency{from, to});
      bounded.add(latency{from, to});
    }
    expect_within(bounded.describe(percentiles), exact.describe(percentiles),
                  bounded_series::error());
  }
}

TEST(series, quotients_keep_the_bound_down_to_half_a_nanosecond) {
  std::mt19937_64 random(4);
  // Times of about 1 us, 1 ms and 10 s, divided by up to 1000; after them the smallest value that
  // the bound covers.
  for (const double typical : {1e3, 1e6, 1e10}) {
    exact_series exact;
    bounded_series bounded;
    std::lognormal_distribution<double> time(std::log(typical), 0.3);
    for (int i = 0; i < 20'000; ++i) {
      const std::uint64_t parts = 1 + random() % 1000;
      const auto to = static_cast<std::uint64_t>(time(random)) + parts / 2;
      exact.add(latency{0, to, parts});
      bounded.add(latency{0, to, parts});
    }
    expect_within(bounded.describe(percentiles), exact.describe(percentiles),
                  bounded_series::error());
  }
  bounded_series tiny;
  tiny.add(latency{0, 1, 2});
  EXPECT_DOUBLE_EQ(tiny.describe(percentiles).mean, 0.5e-6);
}

/// Compares the statistics of one stream's gaps, from the tape and from a copy of them.
void expect_same(const std::vector<std::uint64_t>& gaps) {
  client::stamps events(100);
  std::uint64_t at = 1000;
  events.push(at);
  exact_series copy;
  for (const std::uint64_t gap : gaps) {
    copy.add(latency{at, at + gap});
    events.push(at += gap);
  }
  tape kept;
  kept.append(events);
  exact_gaps in_place(kept);
  kept.for_each([&](std::uint64_t gap) { in_place.add(gap); });
  const statistics a = in_place.describe(percentiles);
  const statistics b = copy.describe(percentiles);
  EXPECT_EQ(a.count, b.count);
  EXPECT_EQ(a.median, b.median);
  EXPECT_EQ(a.minimum, b.minimum);
  EXPECT_EQ(a.maximum, b.maximum);
  EXPECT_EQ(a.quantiles, b.quantiles);
  EXPECT_EQ(a.mean, b.mean);
  EXPECT_EQ(a.deviation, b.deviation);
}

TEST(series, gaps_on_a_tape_have_the_statistics_of_a_copy) {
  expect_same({});
  expect_same({12'345'678});
  expect_same({0, 1, 1ULL << 33U});
  expect_same(std::vector<std::uint64_t>(1000, 10'000'000));
  std::mt19937_64 random(11);
  for (const double typical : {300.0, 1e7, 1e9, 2e10}) {
    std::lognormal_distribution<double> time(std::log(typical), 0.3);
    std::vector<std::uint64_t> gaps;
    for (int i = 0; i < 200'000; ++i)
      gaps.push_back(static_cast<std::uint64_t>(time(random)));
    expect_same(gaps);
  }
}

TEST(series, a_bounded_one_answers_extremes_and_mean_exactly) {
  bounded_series bounded;
  bounded.add(latency{0, 1'234'567'891});
  bounded.add(latency{5, 12});
  const statistics s = bounded.describe(percentiles);
  EXPECT_DOUBLE_EQ(s.maximum, 1234.567891);
  EXPECT_DOUBLE_EQ(s.minimum, 7e-6);
  EXPECT_DOUBLE_EQ(s.mean, (1234.567891 + 7e-6) / 2);
}

TEST(series, times_that_cannot_be_do_no_harm) {
  bounded_series bounded;
  bounded.add(latency{100, 1});  // the end is before the beginning
  bounded.add(latency{0, UINT64_MAX});
  bounded.add(latency{100, 1, 3});
  bounded.add(latency{0, UINT64_MAX, 1});
  EXPECT_EQ(bounded.describe(percentiles).minimum, 0);
  EXPECT_GT(bounded.describe(percentiles).maximum, 0);
  EXPECT_EQ(bounded_series().describe(percentiles).count, 0U);
  EXPECT_EQ(bounded_series().describe(percentiles).quantiles,
            std::vector<double>(percentiles.size(), 0.0));
}

}  // namespace
}  // namespace inferbench::metrics
