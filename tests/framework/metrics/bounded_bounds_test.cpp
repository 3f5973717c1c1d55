// Compares the error bounds of bounded figures with the error bounds of exact figures, for
// generated runs.
#include "metrics/bounded_bounds.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "metrics/accumulator.hpp"
#include "record_of.hpp"

namespace inferbench::metrics {
namespace {

using testing_::failure;
using testing_::origin;
using testing_::success;

context run_of_bounds(bool bounded) {
  context run;
  run.bounded = bounded;
  run.started_ns = origin;
  run.max_concurrency = 8;
  run.request_rate = 50;
  run.percentiles = {90, 99, 99.9};
  return run;
}

/// Generated records. Each event is late with probability 1 / `rare`.
std::vector<client::record> made_up(std::uint64_t seed, std::uint64_t count, std::uint64_t rare) {
  std::mt19937_64 random(seed);
  const auto upto = [&](double most) {
    return most * static_cast<double>(random() % 10'000) / 10'000;
  };
  std::vector<client::record> out;
  for (std::uint64_t i = 0; i < count; ++i) {
    const double due = 5 * static_cast<double>(i);
    const double start = due + upto(3);
    std::vector<double> events{start + 20 + upto(30)};
    for (std::size_t n = random() % 40; n > 0; --n)
      events.push_back(events.back() + upto(20));
    const testing_::shape s{i, due, start, events, 0, 10, static_cast<std::int64_t>(events.size())};
    testing_::lates how{.launch = upto(2), .sending = upto(1)};
    for (std::uint32_t e = 0; e < events.size(); ++e)
      if (random() % rare == 0) how.events.emplace_back(e, upto(8));
    const bool good = random() % 10 != 0;
    out.push_back(late(good ? success(s) : failure(s, IFB_E_REMOTE, 503, "busy"), how));
  }
  return out;
}

std::vector<error_bound> bounds_of(const std::vector<client::record>& records, bool bounded) {
  const context run = run_of_bounds(bounded);
  accumulator all(run);
  for (const client::record& r : records)
    all.add(r);
  return all.bounds(run);
}

TEST(bounded_bounds, are_no_less_than_exact_ones_and_more_by_the_error_of_two_percentiles) {
  for (const std::uint64_t rare : {1U, 7U, 100U}) {
    const auto records = made_up(rare, 2000, rare);
    const auto exact = bounds_of(records, false);
    const auto bounded = bounds_of(records, true);
    ASSERT_EQ(exact.size(), bounded.size());
    for (std::size_t i = 0; i < exact.size(); ++i) {
      const error_bound& e = exact[i];
      const error_bound& b = bounded[i];
      const char* name = define(e.of).name;
      EXPECT_EQ(b.of, e.of);
      EXPECT_EQ(b.shown, e.shown) << name;
      EXPECT_NEAR(b.mean.ms, e.mean.ms, 2e-6 + e.mean.figure * 1e-9) << name;
      const auto near = [&](const figure_bound& x, const figure_bound& y) {
        EXPECT_GE(x.ms, y.ms) << name;
        EXPECT_LE(x.ms, y.ms + 2e-6 + 4.01 * bounded_series::error() * (y.figure + y.ms)) << name;
      };
      near(b.median, e.median);
      ASSERT_EQ(b.percentiles.size(), e.percentiles.size());
      for (std::size_t p = 0; p < e.percentiles.size(); ++p)
        near(b.percentiles[p].second, e.percentiles[p].second);
    }
  }
}

TEST(bounded_bounds, hold_where_both_percentiles_fall_into_one_bucket) {
  // At 1 s a bucket spans 1 ms, so 0.1 ms makes no difference.
  std::vector<client::record> records{testing_::success({0, 0, 0, {500}, 0, 1, 1}),
                                      testing_::success({1, 0, 0, {1500}, 0, 1, 1})};
  for (std::uint64_t i = 2; i < 102; ++i)
    records.push_back(
        testing_::late(testing_::success({i, 0, 0, {1000.3}, 0, 1, 1}), {.events = {{0, 0.1}}}));
  for (const error_bound& each : bounds_of(records, true)) {
    if (each.of != metric::ttft) continue;
    EXPECT_NEAR(each.mean.ms, 0.1 * 100 / 102, 1e-5);
    EXPECT_GE(each.median.ms, 0.1);
    EXPECT_LE(each.median.ms, 0.1 + 4 * bounded_series::error() * 1000.3);
  }
}

TEST(bounded_bounds, a_run_without_lates_has_no_further_histograms) {
  const auto bytes = [](bool late_ones) {
    const context run = run_of_bounds(true);
    accumulator all(run);
    for (client::record r : made_up(3, 500, 3)) {
      if (!late_ones) r.late = {};
      all.add(r);
    }
    if (!late_ones)
      for (const error_bound& each : all.bounds(run)) {
        EXPECT_EQ(each.mean.ms, 0);
        EXPECT_EQ(each.median.ms, 0);
      }
    return all.bytes();
  };
  EXPECT_LE(bytes(true), bytes(false) * 5 / 2);
  EXPECT_GT(bytes(true), bytes(false));
}

TEST(bounded_bounds, the_order_of_records_changes_nothing) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    std::mt19937_64 random(seed);
    auto records = made_up(seed, random() % 60, 1 + random() % 30);
    for (client::record& r : records) {
      if (random() % 3 == 0) r.late = {};
      if (seed % 5 == 0 && random() % 20 == 0) r.late.unknown = true;
    }
    const auto ordered = bounds_of(records, true);
    std::ranges::shuffle(records, random);
    const auto shuffled = bounds_of(records, true);
    ASSERT_EQ(ordered.size(), shuffled.size());
    for (std::size_t i = 0; i < ordered.size(); ++i) {
      const error_bound& o = ordered[i];
      const error_bound& s = shuffled[i];
      const char* name = define(o.of).name;
      EXPECT_EQ(o.of, s.of);
      EXPECT_EQ(o.unknown, s.unknown) << name;
      EXPECT_EQ(o.mean.ms, s.mean.ms) << name;
      EXPECT_EQ(o.median.ms, s.median.ms) << name;
      for (std::size_t p = 0; p < o.percentiles.size(); ++p)
        EXPECT_EQ(o.percentiles[p].second.ms, s.percentiles[p].second.ms) << name;
    }
  }
}

}  // namespace
}  // namespace inferbench::metrics
