#include "comparison/number_text.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace {

using inferbench::comparison::chance_text;
using inferbench::comparison::change_text;
using inferbench::comparison::counted;
using inferbench::comparison::share_text;
using inferbench::comparison::value_text;

constexpr double infinite = std::numeric_limits<double>::infinity();

TEST(the_text_of_a_change, has_its_sign_and_three_digits) {
  EXPECT_EQ(change_text(0.976), "-2.40 %");
  EXPECT_EQ(change_text(1), "+0.00 %");
  EXPECT_EQ(change_text(1.123), "+12.3 %");
  EXPECT_EQ(change_text(4.5), "+350 %");
}

TEST(the_text_of_a_change, stays_short_without_a_bound) {
  EXPECT_EQ(change_text(infinite), ">+1000000 %");
  EXPECT_EQ(change_text(0), "-100 %");
}

TEST(the_text_of_a_share, has_two_digits) {
  EXPECT_EQ(share_text(0.0213), "2.1 %");
  EXPECT_EQ(share_text(0.02), "2 %");
  EXPECT_EQ(share_text(0.00041), "0.041 %");
  EXPECT_EQ(share_text(1.234), "123 %");
  EXPECT_EQ(share_text(0.999), "100 %");
  EXPECT_EQ(share_text(infinite), ">1000 %");
}

TEST(the_text_of_a_value, has_about_four_digits) {
  EXPECT_EQ(value_text(1234.6), "1235");
  EXPECT_EQ(value_text(123.45), "123.5");
  EXPECT_EQ(value_text(12.345), "12.35");
  EXPECT_EQ(value_text(1.2345), "1.234");
  EXPECT_EQ(value_text(0.00012345), "0.0001234");
  EXPECT_EQ(value_text(1e300), "1e+300");
}

TEST(the_text_of_a_chance, has_a_smallest_value) {
  EXPECT_EQ(chance_text(0.01234), "0.0123");
  EXPECT_EQ(chance_text(0.00001), "<0.0001");
  EXPECT_EQ(chance_text(1), "1.0000");
}

TEST(a_counted_noun, has_an_s_unless_there_is_one) {
  EXPECT_EQ(counted(1, "block"), "1 block");
  EXPECT_EQ(counted(0, "block"), "0 blocks");
  EXPECT_EQ(counted(8, "run"), "8 runs");
}

}  // namespace
