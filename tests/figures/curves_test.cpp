#include "curves.hpp"

#include <limits>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "figures/samples.hpp"

namespace {

using namespace figures;
using samples::plain_curve;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

scene drawn(const curve& what, scale on = scale::linear) {
  const span_of_values shown{on == scale::log ? 1.0 : 0.0, 100};
  const panel_axes axes{
      on, on, axis_map(on, shown, 0, 100), axis_map(on, shown, 100, 0), {0, 0, 100, 100}};
  panel in;
  in.curves.push_back(what);
  scene out;
  draw_curves(in, axes, true, out);
  return out;
}

template <typename kind>
std::vector<kind> shapes_of(const scene& from) {
  std::vector<kind> out;
  for (const shape& each : from.shapes)
    if (const auto* found = std::get_if<kind>(&each)) out.push_back(*found);
  return out;
}

TEST(curve_in_a_panel, joins_points_in_the_order_of_x) {
  const scene found = drawn(plain_curve("a", {{30, 1}, {10, 2}, {20, 3}}));
  const std::vector<polylines> lines = shapes_of<polylines>(found);
  ASSERT_EQ(lines.size(), 1U);
  ASSERT_EQ(lines[0].lines.size(), 1U);
  EXPECT_EQ(lines[0].lines[0][0].x, 10);
  EXPECT_EQ(lines[0].lines[0][2].x, 30);
}

TEST(curve_in_a_panel, has_a_gap_where_a_value_has_no_place) {
  const curve what = plain_curve(
      "a", {{10, 1}, {20, 2}, {30, not_a_number}, {40, 4}, {50, 5}, {60, 1e301}, {70, 7}});
  const scene found = drawn(what);
  EXPECT_EQ(shapes_of<polylines>(found)[0].lines.size(), 2U);
  EXPECT_EQ(shapes_of<markers>(found)[0].at.size(), 5U);
  EXPECT_EQ(shapes_of<markers>(drawn(plain_curve("a", {{0, 5}, {2, -1}, {3, 3}}), scale::log))[0]
                .at.size(),
            1U);
}

TEST(curve_in_a_panel, leaves_out_points_whose_x_is_not_a_number) {
  const curve what = plain_curve("a", {{30, 1}, {not_a_number, 2}, {10, 3}, {not_a_number, 4}});
  const std::vector<polylines> lines = shapes_of<polylines>(drawn(what));
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].lines[0].size(), 2U);
}

TEST(curve_in_a_panel, has_no_line_through_one_point) {
  const scene found = drawn(plain_curve("a", {{10, 1}}));
  EXPECT_TRUE(shapes_of<polylines>(found).empty());
  EXPECT_EQ(shapes_of<markers>(found).size(), 1U);
}

TEST(curve_in_a_panel, has_a_band_or_for_one_point_a_bar) {
  curve what = plain_curve("a", {{10, 50}, {20, 50}});
  for (point& p : what.points)
    p.low = 40, p.high = 60;
  const std::vector<polygon> bands = shapes_of<polygon>(drawn(what));
  ASSERT_EQ(bands.size(), 1U);
  EXPECT_EQ(bands[0].corners.size(), 4U);
  EXPECT_LT(bands[0].colour.opacity, 0.5);
  what.points.pop_back();
  EXPECT_TRUE(shapes_of<polygon>(drawn(what)).empty());
  EXPECT_EQ(shapes_of<polylines>(drawn(what))[0].lines.size(), 3U);
}

TEST(curve_in_a_panel, without_a_line_has_bars) {
  curve what = plain_curve("a", {{10, 50}, {20, 50}});
  what.line = false;
  what.points[0].low = 40, what.points[0].high = 60;
  const scene found = drawn(what);
  EXPECT_TRUE(shapes_of<polygon>(found).empty());
  EXPECT_EQ(shapes_of<polylines>(found)[0].lines.size(), 3U);
}

TEST(curve_in_a_panel, ignores_bands_that_are_not_finite) {
  curve what = plain_curve("a", {{10, 50}, {20, 50}});
  for (point& p : what.points)
    p.low = not_a_number, p.high = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(shapes_of<polygon>(drawn(what)).empty());
}

TEST(curve_in_a_panel, has_a_band_down_to_the_end_of_the_axis_if_its_low_end_has_no_place) {
  for (const scale on : {scale::log, scale::sqrt}) {
    curve what = plain_curve("a", {{10, 50}, {20, 50}});
    for (point& p : what.points)
      p.low = -5, p.high = 60;
    const std::vector<polygon> bands = shapes_of<polygon>(drawn(what, on));
    ASSERT_EQ(bands.size(), 1U);
    EXPECT_EQ(bands[0].corners.at(2).y, 100);
    what.line = false;
    EXPECT_LT(shapes_of<polylines>(drawn(what, on)).at(0).lines.at(0).at(1).y, 100);
    EXPECT_EQ(shapes_of<polylines>(drawn(what, on)).at(0).lines.at(0).at(0).y, 100);
  }
}

TEST(curve_in_a_panel, draws_weak_points_hollow_and_above_the_line) {
  curve what = plain_curve("a", {{10, 50}, {20, 60}});
  what.points[1].weak = true;
  const scene found = drawn(what);
  const std::vector<markers> all = shapes_of<markers>(found);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_FALSE(all[0].hollow);
  EXPECT_TRUE(all[1].hollow);
  EXPECT_EQ(all[1].at[0].x, 20);
  EXPECT_TRUE(std::holds_alternative<polylines>(found.shapes.front()));
}

TEST(curve_in_a_panel, of_many_points_has_small_markers) {
  std::vector<std::pair<double, double>> places;
  for (int i = 0; i < 10'000; ++i)
    places.emplace_back(i / 100.0, i % 100);
  const std::vector<markers> all = shapes_of<markers>(drawn(plain_curve("a", places)));
  EXPECT_EQ(all[0].at.size(), 10'000U);
  EXPECT_LT(all[0].size, 3);
}

}  // namespace
