#include "reporters/pages/itl_limits.hpp"

#include <string>

#include <gtest/gtest.h>

#include <inferbench/guard.hpp>

namespace {

using reporters::gap_class;
using reporters::limits_of;

TEST(itl_limits, two_numbers_with_a_comma_between_are_the_limits) {
  EXPECT_EQ(limits_of("25,50"), (reporters::itl_limits{25, 50}));
  EXPECT_EQ(limits_of(" 10 , 20.4"), (reporters::itl_limits{10, 20.4}));
  EXPECT_EQ(limits_of("5,5"), (reporters::itl_limits{5, 5}));
}

TEST(itl_limits, any_other_text_is_refused_with_the_name_of_the_option) {
  for (const char* text : {"25", "25,50,75", "a,b", "50,25", "25,", "nan,inf", "25 50", ""}) {
    try {
      (void)limits_of(text);
      ADD_FAILURE() << text;
    } catch (const ifb::failure& refusal) {
      EXPECT_NE(std::string(refusal.what()).find("\"" + std::string(text) + "\" is not two"),
                std::string::npos);
    }
  }
}

TEST(itl_limits, a_limit_belongs_to_the_class_above_it) {
  EXPECT_EQ(gap_class(24.999, {25, 50}), 0U);
  EXPECT_EQ(gap_class(25, {25, 50}), 1U);
  EXPECT_EQ(gap_class(49.999, {25, 50}), 1U);
  EXPECT_EQ(gap_class(50, {25, 50}), 2U);
}

}  // namespace
