#include "base/histogram.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace inferbench::base {
namespace {

double exact_percentile(std::vector<std::uint64_t> values, double p) {
  std::ranges::sort(values);
  const double place = static_cast<double>(values.size() - 1) * p / 100;
  const auto rank = static_cast<std::size_t>(place);
  const auto low = static_cast<double>(values[rank]);
  const auto high = static_cast<double>(values[std::min(rank + 1, values.size() - 1)]);
  return low + (place - static_cast<double>(rank)) * (high - low);
}

TEST(histogram, answers_zero_while_it_is_empty) {
  const histogram h;
  EXPECT_EQ(h.count(), 0U);
  EXPECT_EQ(h.minimum(), 0U);
  EXPECT_EQ(h.maximum(), 0U);
  EXPECT_EQ(h.mean(), 0);
  EXPECT_EQ(h.deviation(), 0);
  EXPECT_EQ(h.percentile(99), 0);
}

TEST(histogram, is_exact_for_values_below_1024) {
  histogram h;
  for (std::uint64_t v = 0; v < 1024; ++v)
    h.add(v);
  EXPECT_EQ(h.percentile(0), 0);
  EXPECT_EQ(h.percentile(100), 1023);
  EXPECT_EQ(h.percentile(50), 511.5);
}

TEST(histogram, returns_the_bucket_and_position_of_a_rank) {
  histogram h;
  h.add(3, 2);
  h.add(1 << 20, 5);  // at this value a bucket has 2048 numbers
  h.add((1 << 20) + 2047, 1);
  h.add((1 << 20) + 2048, 4);
  const auto expect = [&](std::uint64_t rank, const histogram::bucket& b) {
    const histogram::bucket at = h.holding(rank);
    EXPECT_EQ(at.first, b.first) << rank;
    EXPECT_EQ(at.size, b.size) << rank;
    EXPECT_EQ(at.count, b.count) << rank;
    EXPECT_EQ(at.before, b.before) << rank;
  };
  expect(0, {3, 1, 2, 0});
  expect(1, {3, 1, 2, 0});
  expect(2, {1 << 20, 2048, 6, 2});
  expect(7, {1 << 20, 2048, 6, 2});
  expect(8, {(1 << 20) + 2048, 2048, 4, 8});
  expect(11, {(1 << 20) + 2048, 2048, 4, 8});
}

TEST(histogram, a_bucket_begins_and_ends_where_it_says_anywhere_on_the_scale) {
  for (unsigned bit = 0; bit < 64; ++bit)
    for (const std::uint64_t part : {0ULL, 1ULL, 12345678901234567ULL}) {
      const std::uint64_t value = (std::uint64_t{1} << bit) | (part & ((1ULL << bit) - 1));
      histogram h;
      h.add(value);
      const histogram::bucket b = h.holding(0);
      EXPECT_LE(b.first, value);
      EXPECT_LE(value - b.first, b.size - 1);
      EXPECT_EQ(histogram::bucket_of(b.first), histogram::bucket_of(value));
      EXPECT_EQ(histogram::bucket_of(b.first + (b.size - 1)), histogram::bucket_of(value));
    }
}

TEST(histogram, is_at_most_a_thousandth_off_anywhere_on_the_scale) {
  // Tested between the extremes, since the extremes are exact in any case.
  for (int power = 0; power < 63; ++power)
    for (const std::uint64_t part : {0U, 1U, 3U, 511U, 777U}) {
      const std::uint64_t step = std::max<std::uint64_t>((std::uint64_t{1} << power) / 1000, 1);
      const std::uint64_t v = (std::uint64_t{1} << power) + part * step;
      histogram h;
      h.add(0);
      h.add(v);
      h.add(UINT64_MAX);
      const auto exact = static_cast<double>(v);
      EXPECT_LE(std::abs(h.percentile(50) - exact), exact * 0.001) << v;
    }
}

TEST(histogram, finds_the_percentiles_of_latencies_within_a_thousandth) {
  std::mt19937_64 random(7);
  std::lognormal_distribution<double> latency(std::log(2e7), 1.1);
  histogram h;
  std::vector<std::uint64_t> values;
  for (int i = 0; i < 100'000; ++i) {
    values.push_back(static_cast<std::uint64_t>(latency(random)));
    h.add(values.back());
  }
  for (const double p : {0.0, 0.1, 1.0, 25.0, 50.0, 90.0, 99.0, 99.9, 99.999, 100.0}) {
    const double exact = exact_percentile(values, p);
    EXPECT_NEAR(h.percentile(p), exact, exact * 0.001) << p;
  }
  long double sum = 0;
  for (const auto v : values)
    sum += static_cast<long double>(v);
  const long double mean = sum / static_cast<long double>(values.size());
  long double squares = 0;
  for (const auto v : values)
    squares += (static_cast<long double>(v) - mean) * (static_cast<long double>(v) - mean);
  EXPECT_NEAR(h.mean(), static_cast<double>(mean), 1e-6);
  const auto deviation =
      static_cast<double>(std::sqrt(squares / static_cast<long double>(values.size())));
  EXPECT_NEAR(h.deviation(), deviation, deviation * 1e-9);
}

TEST(histogram, that_is_cleared_is_as_new_and_keeps_its_room) {
  histogram h;
  h.reserve(1'000'000);
  const std::size_t room = h.bytes();
  h.add(1'000'000, 3);
  h.clear();
  EXPECT_TRUE(h.empty());
  EXPECT_EQ(h.bytes(), room);
  EXPECT_EQ(h.maximum(), 0U);
  EXPECT_EQ(h.mean(), 0);
  h.add(5);
  EXPECT_EQ(h.minimum(), 5U);
  EXPECT_EQ(h.percentile(50), 5);
  EXPECT_EQ(h.deviation(), 0);
}

TEST(histogram, stays_small_whatever_is_added) {
  histogram h;
  for (std::uint64_t v = 1; v != 0; v <<= 1U)
    h.add(v, 1'000'000'000);
  EXPECT_EQ(h.count(), 64'000'000'000U);
  h.add(UINT64_MAX);
  EXPECT_LE(h.bytes(), 512U * 1024);
}

}  // namespace
}  // namespace inferbench::base
