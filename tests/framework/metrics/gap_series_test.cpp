#include "metrics/gap_series.hpp"

#include <gtest/gtest.h>

#include "record_of.hpp"

namespace inferbench::metrics {
namespace {

using testing_::success;

kept_requests kept_of(const std::vector<std::vector<double>>& streams) {
  kept_requests out;
  for (const auto& tokens : streams) {
    const client::record r = success({.tokens = tokens});
    out.add(r, times_of(r, {}));
  }
  return out;
}

TEST(gap_series, counts_the_gaps_from_each_limit_on) {
  const kept_requests kept = kept_of({{10, 20, 40}, {}, {10}, {10, 15}});  // gaps 10, 20 and 5
  std::vector<gap_limit> limits{{5'000'000}, {10'000'000}, {20'000'001}};
  count_gaps(kept, limits);
  EXPECT_EQ(limits[0].over, 3);
  EXPECT_EQ(limits[1].over, 2);
  EXPECT_EQ(limits[2].over, 0);
  EXPECT_EQ(limits[0].correlation_time, 1);
  EXPECT_EQ(limits[2].correlation_time, 1);
}

TEST(gap_series, answers_whose_gaps_are_all_alike_count_once) {
  std::vector<std::vector<double>> streams;
  for (int i = 0; i < 100; ++i) {
    std::vector<double> tokens;
    for (int k = 0; k < 11; ++k)
      tokens.push_back(10 + k * (i * 7919 % 10 == 3 ? 40 : 10));
    streams.push_back(tokens);
  }
  const kept_requests kept = kept_of(streams);
  std::vector<gap_limit> limits{{20'000'000}};
  count_gaps(kept, limits);
  EXPECT_EQ(limits[0].over, 100);
  EXPECT_NEAR(limits[0].correlation_time, 10, 1e-9);
}

TEST(gap_series, no_answers_and_no_limits_do_no_harm) {
  std::vector<gap_limit> limits{{1}};
  count_gaps(kept_of({}), limits);
  EXPECT_EQ(limits[0].over, 0);
  std::vector<gap_limit> none;
  count_gaps(kept_of({{1, 2}}), none);
}

}  // namespace
}  // namespace inferbench::metrics
