#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "axis.hpp"

namespace {

using namespace figures;
using testing::ElementsAre;

/// The texts of the ticks that have one.
std::vector<std::string> texts_of(scale on, span_of_values shown, double most) {
  std::vector<std::string> out;
  for (const tick& t : ticks_of(on, shown, most))
    if (!t.text.empty()) out.push_back(t.text);
  return out;
}

TEST(ticks, of_a_linear_axis_are_round) {
  EXPECT_THAT(texts_of(scale::linear, {0, 1}, 5),
              ElementsAre("0", "0.2", "0.4", "0.6", "0.8", "1"));
  EXPECT_THAT(texts_of(scale::linear, {-1200, 2300}, 4),
              ElementsAre("-1,000", "0", "1,000", "2,000"));
  EXPECT_THAT(texts_of(scale::linear, {1e9, 1e9 + 3}, 3),
              ElementsAre("1e9", "1.000000001e9", "1.000000002e9", "1.000000003e9"));
}

TEST(ticks, of_a_logarithmic_axis_are_as_fine_as_there_is_room) {
  EXPECT_THAT(texts_of(scale::log, {12, 1100}, 6),
              ElementsAre("20", "50", "100", "200", "500", "1,000"));
  EXPECT_THAT(texts_of(scale::log, {1, 1e6}, 4), ElementsAre("1", "100", "10,000", "1,000,000"));
  EXPECT_THAT(texts_of(scale::log, {37, 170}, 6), ElementsAre("50", "100"));
}

TEST(ticks, between_powers_of_ten_are_small) {
  const std::vector<tick> all = ticks_of(scale::log, {1, 1000}, 4);
  EXPECT_EQ(std::ranges::count_if(all, [](const tick& t) { return t.text.empty(); }), 3 * 8);
}

TEST(ticks, of_less_than_a_decade_are_those_of_a_linear_axis) {
  EXPECT_GE(texts_of(scale::log, {1.01, 1.04}, 6).size(), 3U);
}

TEST(ticks, of_symlog_have_both_signs_and_zero) {
  EXPECT_THAT(texts_of(scale::symlog, {-150, 2000}, 9),
              ElementsAre("-100", "-10", "-1", "0", "1", "10", "100", "1,000"));
  EXPECT_EQ(texts_of(scale::symlog, {0, 1}, 5), texts_of(scale::linear, {0, 1}, 5));
}

TEST(ticks, of_square_roots_are_far_enough_apart) {
  const std::vector<tick> all = ticks_of(scale::sqrt, {0, 10'000}, 6);
  const axis_map map(scale::sqrt, {0, 10'000}, 0, 6);
  ASSERT_GE(all.size(), 3U);
  for (std::size_t i = 1; i < all.size(); ++i)
    EXPECT_GE(map(all[i].value) - map(all[i - 1].value), 1);
}

TEST(ticks, are_inside_and_few_on_every_axis) {
  for (const scale on : {scale::linear, scale::log, scale::symlog, scale::sqrt})
    for (const span_of_values shown : {span_of_values{1e-305, 1e305},
                                       {1, 1.000000002},
                                       {3, 7},
                                       {0.99, 1.01},
                                       {2, 9e5},
                                       {1e-9, 1e-8},
                                       {1e299, 1e300}})
      for (const double most : {0.5, 2.0, 6.0, 30.0}) {
        const std::vector<tick> all = ticks_of(on, shown, most);
        std::size_t texts = 0;
        for (const tick& t : all) {
          EXPECT_GE(t.value, shown.low - (shown.high - shown.low) * 1e-6);
          EXPECT_LE(t.value, shown.high + (shown.high - shown.low) * 1e-6);
          texts += t.text.empty() ? 0U : 1U;
        }
        EXPECT_LE(static_cast<double>(texts), 2 * most + 3);
      }
}

}  // namespace
