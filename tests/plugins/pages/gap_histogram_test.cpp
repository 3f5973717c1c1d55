#include "reporters/pages/gap_histogram.hpp"

#include <cstdint>
#include <string>

#include <gtest/gtest.h>
#include <rapidjson/document.h>

namespace {

using reporters::gap_histogram;

rapidjson::Document json_of(const gap_histogram& histogram) {
  ifb::json_writer out;
  histogram.write(out);
  rapidjson::Document read;
  read.Parse(out.text().c_str());
  return read;
}

TEST(gap_histogram, a_run_without_gaps_has_empty_lists) {
  const auto read = json_of({});
  EXPECT_TRUE(read["edges_ms"].Empty());
  EXPECT_TRUE(read["counts"].Empty());
}

TEST(gap_histogram, each_gap_is_between_the_edges_of_its_bucket) {
  for (std::uint64_t us = 0; us < 70'000; us = us < 200 ? us + 1 : us + us / 37) {
    gap_histogram one;
    one.add(us);
    const auto read = json_of(one);
    ASSERT_EQ(read["counts"].Size(), 1U);
    EXPECT_EQ(read["counts"][0].GetUint64(), 1U);
    const double ms = static_cast<double>(us) / 1e3;
    const double low = read["edges_ms"][0].GetDouble();
    const double high = read["edges_ms"][1].GetDouble();
    EXPECT_LE(low, ms);
    EXPECT_LT(ms, high);
    EXPECT_LE(high - low, low / 8 + 0.0011) << us;
  }
}

TEST(gap_histogram, buckets_between_two_gaps_are_kept_and_the_others_left_out) {
  gap_histogram histogram;
  histogram.add(10);
  histogram.add(10);
  histogram.add(13);
  const auto read = json_of(histogram);
  ASSERT_EQ(read["counts"].Size(), 4U);
  EXPECT_EQ(read["counts"][0].GetInt(), 2);
  EXPECT_EQ(read["counts"][1].GetInt(), 0);
  EXPECT_EQ(read["counts"][3].GetInt(), 1);
  EXPECT_DOUBLE_EQ(read["edges_ms"][0].GetDouble(), 0.010);
  EXPECT_DOUBLE_EQ(read["edges_ms"][4].GetDouble(), 0.014);
}

TEST(gap_histogram, the_longest_possible_gap_has_a_bucket) {
  gap_histogram histogram;
  histogram.add(UINT64_MAX);
  EXPECT_EQ(json_of(histogram)["counts"].Size(), 1U);
}

}  // namespace
