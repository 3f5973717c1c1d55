#include "axis.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace figures;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr scale all_scales[] = {scale::linear, scale::log, scale::symlog, scale::sqrt};

span_of_values range_of(scale on, std::initializer_list<double> values, bool from_zero) {
  value_range out(on);
  for (const double value : values)
    out.add(value);
  return out.with_margin(from_zero);
}

TEST(scale_of_an_axis, has_no_place_for_values_that_are_not_finite) {
  for (const scale on : all_scales)
    for (const double value : {infinity, -infinity, nan_value, 1.5e300})
      EXPECT_FALSE(has_place(on, value));
}

TEST(scale_of_an_axis, has_places_for_its_domain) {
  EXPECT_FALSE(has_place(scale::log, 0));
  EXPECT_FALSE(has_place(scale::log, -1));
  EXPECT_TRUE(has_place(scale::log, 1e-9));
  EXPECT_TRUE(has_place(scale::sqrt, 0));
  EXPECT_FALSE(has_place(scale::sqrt, -1e-9));
  EXPECT_TRUE(has_place(scale::symlog, -1e9));
  EXPECT_TRUE(has_place(scale::linear, -1e9));
}

TEST(scale_of_an_axis, is_undone_by_its_inverse) {
  for (const scale on : all_scales)
    for (const double value : {-1e6, -2.5, -2.0, -0.5, 0.0, 0.3, 1.0, 2.0, 2.5, 1e9}) {
      if (!has_place(on, value)) continue;
      EXPECT_NEAR(unwarped(on, warped(on, value)), value, std::abs(value) * 1e-9);
    }
}

// Values of matplotlib 3.8, SymmetricalLogTransform(10, 2, 1).
TEST(scale_of_an_axis, symlog_is_that_of_matplotlib) {
  EXPECT_NEAR(warped(scale::symlog, 1), 1.1111111111, 1e-9);
  EXPECT_NEAR(warped(scale::symlog, 2), 2.2222222222, 1e-9);
  EXPECT_NEAR(warped(scale::symlog, 20), 4.2222222222, 1e-9);
  EXPECT_NEAR(warped(scale::symlog, -200), -6.2222222222, 1e-9);
}

TEST(range_of_an_axis, without_a_value_is_not_empty) {
  for (const scale on : all_scales) {
    const span_of_values found = range_of(on, {nan_value}, true);
    EXPECT_LT(found.low, found.high);
  }
}

TEST(range_of_an_axis, of_one_value_has_room_around_it) {
  for (const scale on : all_scales)
    for (const double value : {0.0, 1e-200, 7.0, 1e300}) {
      if (!has_place(on, value)) continue;
      const span_of_values found = range_of(on, {value}, false);
      EXPECT_LE(found.low, value);
      EXPECT_GT(found.high, value);
    }
}

TEST(range_of_an_axis, of_nearly_equal_values_is_widened) {
  const double next = std::nextafter(1e9, 2e9);
  const span_of_values found = range_of(scale::linear, {1e9, next}, false);
  EXPECT_GT(found.high - found.low, 1e8);
}

TEST(range_of_an_axis, begins_at_zero_if_asked) {
  EXPECT_EQ(range_of(scale::linear, {5, 10}, true).low, 0);
  EXPECT_GT(range_of(scale::linear, {5, 10}, true).high, 10);
  EXPECT_EQ(range_of(scale::linear, {-5, -2}, true).high, 0);
  EXPECT_GT(range_of(scale::linear, {5, 10}, false).low, 4);
  EXPECT_GT(range_of(scale::log, {5, 10}, true).low, 1);
}

TEST(range_of_an_axis, of_the_largest_values_is_finite) {
  for (const scale on : all_scales) {
    const span_of_values found = range_of(on, {-1e300, 1e-300, 1e300}, true);
    EXPECT_TRUE(std::isfinite(found.low) && std::isfinite(found.high));
    const axis_map map(on, found, 0, 100);
    EXPECT_GE(map(1e300), 0);
    EXPECT_LE(map(1e300), 100);
  }
}

TEST(axis, places_values_between_its_ends) {
  const axis_map linear(scale::linear, {0, 10}, 100, 200);
  EXPECT_DOUBLE_EQ(linear(0), 100);
  EXPECT_DOUBLE_EQ(linear(5), 150);
  const axis_map log(scale::log, {1, 100}, 50, 0);  // upwards
  EXPECT_DOUBLE_EQ(log(10), 25);
  const axis_map sqrt(scale::sqrt, {0, 100}, 0, 10);
  EXPECT_DOUBLE_EQ(sqrt(25), 5);
}

TEST(number_of_a_tick, is_short_and_does_not_depend_on_the_locale) {
  EXPECT_EQ(number_text(0), "0");
  EXPECT_EQ(number_text(3 * 0.1), "0.3");
  EXPECT_EQ(number_text(-1500), "-1,500");
  EXPECT_EQ(number_text(1234567), "1,234,567");
  EXPECT_EQ(number_text(100), "100");
  EXPECT_EQ(number_text(2.5), "2.5");
  EXPECT_EQ(number_text(2e7), "2e7");
  EXPECT_EQ(number_text(2.5e-5), "2.5e-5");
  EXPECT_EQ(number_text(-1e300), "-1e300");
}

}  // namespace
