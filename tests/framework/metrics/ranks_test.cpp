#include "metrics/ranks.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "support/sanitizer.hpp"

namespace inferbench::metrics {
namespace {

using ranked = std::vector<std::uint64_t>;

/// Finds `ranks` of `values` and checks them; returns the number of passes over the values.
int expect_ranks(ranked values, const ranked& ranks) {
  base::histogram counted;
  for (const std::uint64_t value : values)
    counted.add(value);
  int passes = 0;
  const ranked found = values_at(counted, ranks, [&](auto&& visit) {
    ++passes;
    for (const std::uint64_t value : values)
      visit(value);
  });
  std::ranges::sort(values);
  EXPECT_EQ(found.size(), ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i)
    EXPECT_EQ(found[i], values[ranks[i]]) << "rank " << ranks[i] << " of " << values.size();
  return passes;
}

ranked some_ranks(std::uint64_t count) {
  return {count - 1, 0, count / 2, count / 2 + 1, count * 99 / 100, count / 2, count / 10};
}

TEST(ranks, nothing_is_asked_of_nothing) {
  EXPECT_EQ(expect_ranks({}, {}), 0);
  EXPECT_EQ(expect_ranks({7}, {}), 0);
}

TEST(ranks, small_values_are_known_without_another_look) {
  ranked values;
  for (std::uint64_t i = 0; i < 1000; ++i)
    values.push_back(i * 37 % 1024);
  EXPECT_EQ(expect_ranks(values, some_ranks(values.size())), 0);
}

TEST(ranks, few_values_are_found_in_one_more_pass_however_large) {
  EXPECT_EQ(expect_ranks({UINT64_MAX, 0, UINT64_MAX - 1, 1ULL << 63U, 5}, {0, 1, 2, 3, 4}), 1);
}

TEST(ranks, equal_values_are_one_value) {
  EXPECT_LE(expect_ranks(ranked(200'000, 123'456'789), some_ranks(200'000)), 2);
}

TEST(ranks, many_values_in_a_narrow_bucket_are_counted_one_by_one) {
  std::mt19937_64 random(5);
  ranked values;
  for (int i = 0; i < 300'000; ++i)
    values.push_back(10'000'000 + random() % 8000);  // a bucket spans 16384 numbers there
  EXPECT_EQ(expect_ranks(values, some_ranks(values.size())), 1);
}

TEST(ranks, many_values_in_a_wide_bucket_take_a_pass_more) {
  std::mt19937_64 random(6);
  ranked values;
  for (int i = 0; i < 300'000; ++i)
    values.push_back((1ULL << 40U) + random() % 1'000'000'000);  // half of a bucket's span
  EXPECT_EQ(expect_ranks(values, some_ranks(values.size())), 2);
}

TEST(ranks, nearly_equal_values_in_a_wide_bucket_need_no_more_memory) {
  // All values are in one part of the first division, and are still too many to collect.
  std::mt19937_64 random(8);
  ranked values;
  for (int i = 0; i < 200'000; ++i)
    values.push_back((1ULL << 62U) + random() % 3);
  EXPECT_LE(expect_ranks(values, some_ranks(values.size())), 4);
}

TEST(ranks, any_mixture_is_exact) {
  std::mt19937_64 random(9);
  for (int round = 0; round < support::reduced(20); ++round) {
    ranked values;
    const std::size_t count = 1 + random() % 150'000;
    const unsigned bits = 1 + static_cast<unsigned>(random() % 63);
    while (values.size() < count)
      values.push_back(random() % 4 == 0 ? random() : random() % (1ULL << bits));
    expect_ranks(values, some_ranks(values.size()));
  }
}

}  // namespace
}  // namespace inferbench::metrics
