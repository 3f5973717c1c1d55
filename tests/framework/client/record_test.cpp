#include "client/record.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inferbench::client {

using ::testing::ElementsAre;

TEST(stamps, contain_the_pushed_values) {
  stamps s(1000);
  for (const std::uint64_t at :
       {1000ULL, 1001ULL, 5'000'000'000ULL, 5'000'000'000ULL, 90'000'000'000'000ULL})
    s.push(at);
  EXPECT_THAT(s.absolute(),
              ElementsAre(1000, 1001, 5'000'000'000, 5'000'000'000, 90'000'000'000'000));
  EXPECT_EQ(s.size(), 5U);
  EXPECT_EQ(s.back(), 90'000'000'000'000U);
}

TEST(stamps, take_the_largest_gap_of_one_word_and_the_next_one) {
  stamps s(0);
  s.push(1);
  s.push(0xFFFFFFFFU);
  s.push(0xFFFFFFFFU + 0xFFFFFFFFULL);
  EXPECT_THAT(s.absolute(), ElementsAre(1, 0xFFFFFFFFU, 0xFFFFFFFFU + 0xFFFFFFFFULL));
}

TEST(stamps, of_one_event_take_no_memory) {
  stamps s(1000);
  EXPECT_EQ(s.front(), 1000U);
  EXPECT_THAT(s.absolute(), ElementsAre());
  s.push(90'000'000'000'000);
  EXPECT_EQ(s.bytes(), 0U);
  EXPECT_EQ(s.front(), 90'000'000'000'000U);
  EXPECT_THAT(s.absolute(), ElementsAre(90'000'000'000'000));
}

TEST(stamps, never_go_back) {
  stamps s(100);
  s.push(200);
  s.push(150);
  EXPECT_THAT(s.absolute(), ElementsAre(200, 200));
}

TEST(stamps, cost_four_bytes_an_event_at_ordinary_gaps) {
  stamps s(0);
  std::uint64_t at = 0;
  for (int i = 0; i < 1'000'000; ++i)
    s.push(at += 10'000'000);
  // A vector allocates at most twice its size.
  EXPECT_LE(s.bytes(), 2 * 4U * 1'000'000U + 1024);
  EXPECT_EQ(s.size(), 1'000'000U);
}

TEST(record, is_a_failure_until_it_is_known_to_be_good) { EXPECT_FALSE(record{}.ok()); }

}  // namespace inferbench::client
