#include "comparison/holm.hpp"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using inferbench::comparison::holm;
using testing::DoubleEq;
using testing::ElementsAre;

TEST(holms_correction, multiplies_the_smallest_p_with_the_number_of_tests) {
  EXPECT_THAT(holm(std::vector{0.01, 0.04, 0.03}, 3),
              ElementsAre(DoubleEq(0.03), DoubleEq(0.06), DoubleEq(0.06)));
}

TEST(holms_correction, keeps_the_order_of_the_tests_and_never_exceeds_1) {
  EXPECT_THAT(holm(std::vector{0.9, 0.001, 0.6}, 3),
              ElementsAre(DoubleEq(1), DoubleEq(0.003), DoubleEq(1)));
}

TEST(holms_correction, counts_declared_tests_without_a_p_value) {
  EXPECT_THAT(holm(std::vector{0.01, 0.02}, 4), ElementsAre(DoubleEq(0.04), DoubleEq(0.06)));
}

TEST(holms_correction, leaves_a_single_p_value_as_it_is_and_accepts_an_empty_list) {
  EXPECT_THAT(holm(std::vector{0.2}, 1), ElementsAre(DoubleEq(0.2)));
  EXPECT_TRUE(holm({}, 3).empty());
}

}  // namespace
