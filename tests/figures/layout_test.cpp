// The layout of whole figures, as SVG files: tests/fixtures/figures.
#include <limits>
#include <regex>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "figures/samples.hpp"
#include "scene.hpp"
#include "support/golden.hpp"
#include "svg.hpp"

namespace {

using namespace figures;
using samples::banded_curve;
using samples::figure_of;
using samples::plain_curve;
using testing::HasSubstr;
using testing::Not;

constexpr double unbounded = std::numeric_limits<double>::infinity();

std::string svg(const figure& what) { return svg_of(scene_of(what)); }

void expect_svg(const figure& what, const std::string& name) {
  inferbench::support::expect_golden(
      svg(what), std::string(INFERBENCH_FIXTURES) + "/figures/" + name + ".svg");
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t out = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++out;
  return out;
}

TEST(figure_layout, of_curves_with_bands) {
  curve second = banded_curve("max_num_seqs=32", 90);
  second.colour = 1;
  second.points.back().weak = true;
  expect_svg(figure_of({banded_curve("max_num_seqs=16", 0), second}), "curves");
}

TEST(figure_layout, of_panels_with_shared_logarithmic_axes) {
  figure what = figure_of({});
  what.panels.clear();
  what.rows = what.columns = 2;
  what.x_scale = what.y_scale = scale::log;
  for (const std::size_t i : {0U, 1U, 2U}) {
    curve second = banded_curve("max_num_seqs=32", 700);
    second.dash = 1;
    what.panels.push_back({.title = "tp=" + std::to_string(i / 2) + "\npp=" + std::to_string(i % 2),
                           .row = i / 2,
                           .column = i % 2,
                           .curves = {banded_curve("max_num_seqs=16", 0), second}});
  }
  expect_svg(what, "panels");
}

TEST(figure_layout, of_a_pareto_frontier) { expect_svg(samples::pareto_figure(), "pareto"); }

TEST(figure_layout, of_colours_dashes_and_widths) {
  std::vector<curve> curves;
  for (int i = 0; i < 12; ++i) {
    curve each = plain_curve("number " + std::to_string(i), {{1, i}, {2, i + 1.0}, {3, i}});
    each.colour = each.dash = each.width = i;
    curves.push_back(each);
  }
  expect_svg(figure_of(curves), "looks");
}

TEST(figure_layout, of_symlog_and_sqrt) {
  figure what =
      figure_of({plain_curve("a", {{0, -500}, {1, -1}, {25, 0}, {400, 1.5}, {900, 3e4}})});
  what.x_scale = scale::sqrt;
  what.y_scale = scale::symlog;
  expect_svg(what, "symlog_sqrt");
}

TEST(figure_layout, without_data_says_so) {
  expect_svg(figure_of({}), "empty");
  for (const scale on : {scale::linear, scale::log, scale::symlog, scale::sqrt}) {
    figure what = figure_of({plain_curve("a", {{unbounded, 1}, {1, -unbounded}})});
    what.x_scale = what.y_scale = on;
    EXPECT_THAT(svg(what), HasSubstr(">no data</text>"));
  }
  figure none;
  EXPECT_THAT(svg(none), HasSubstr(">no data</text>"));
}

TEST(figure_layout, of_one_point_has_its_marker_and_axes) {
  const std::string found = svg(figure_of({plain_curve("", {{5, 7}})}));
  EXPECT_THAT(found, Not(HasSubstr("no data")));
  EXPECT_THAT(found, Not(HasSubstr("nan")));
  EXPECT_THAT(found, HasSubstr(">7</text>"));
}

TEST(figure_layout, has_no_number_that_is_not_finite) {
  for (const scale on : {scale::linear, scale::log, scale::symlog, scale::sqrt}) {
    curve what = plain_curve("a", {{-1e300, -1e300}, {1e-300, 1e-300}, {1e300, 1e300}, {0, 0}});
    what.points[2].low = -unbounded;
    what.points[2].high = unbounded;
    what.points[1].low = std::numeric_limits<double>::quiet_NaN();
    figure in = figure_of({what});
    in.x_scale = in.y_scale = on;
    EXPECT_FALSE(std::regex_search(svg(in), std::regex("\"[^\"]*(nan|inf)[^\"]*\"")));
  }
}

TEST(figure_layout, of_10000_points_is_quick_and_whole) {
  std::vector<std::pair<double, double>> places;
  for (int i = 0; i < 10'000; ++i)
    places.emplace_back(i, i % 97);
  EXPECT_EQ(count_of(svg(figure_of({plain_curve("a", places)})), "a1.25 1.25 0 1 0 2.5 0"),
            10'000U);
}

TEST(figure_layout, keeps_hostile_texts_as_texts) {
  const std::string hostile = "</text><script>alert(\"1\")</script>&\xFF\x01]]>";
  curve what = plain_curve(hostile, {{1, 2}, {2, 3}});
  what.points[0].label = hostile;
  figure in = figure_of({what});
  in.title = in.x_label = in.y_label = in.panels[0].title = hostile;
  const std::string found = svg(in);
  EXPECT_THAT(found, Not(HasSubstr("<script")));
  EXPECT_THAT(found, HasSubstr("&lt;/text&gt;&lt;script&gt;alert("));
  EXPECT_EQ(found.find('\x01'), std::string::npos);
  EXPECT_EQ(found.find('\xFF'), std::string::npos);
}

TEST(figure_layout, is_not_widened_by_long_texts) {
  const std::string text(50'000, 'W');
  curve what = plain_curve(text, {{1, 2}, {2, 3}});
  what.points[0].label = text;
  figure in = figure_of({what});
  in.x_label = in.y_label = in.panels[0].title = text;
  const scene found = scene_of(in);
  EXPECT_LT(found.width, 72 * 3 * 1.3 + 500);
  EXPECT_LT(svg_of(found).size(), 20'000U);
}

TEST(figure_layout, shows_non_latin_texts_as_they_are) {
  figure in = figure_of({plain_curve("\xE6\xA8\xA1\xE5\x9E\x8B=\xD0\x9C", {{1, 2}})});
  EXPECT_THAT(svg(in), HasSubstr(">\xE6\xA8\xA1\xE5\x9E\x8B=\xD0\x9C</text>"));
}

TEST(figure_layout, has_room_for_panels_beyond_the_given_grid) {
  figure in = figure_of({plain_curve("a", {{1, 2}})});
  const double width = scene_of(in).width;
  in.panels[0].column = 2;
  EXPECT_GT(scene_of(in).width, 2 * width);
}

TEST(figure_layout, of_a_height_of_nothing_can_be_drawn) {
  figure in = figure_of({plain_curve("a", {{1, 2}, {3, 4}})});
  for (const double inches : {0.0, -1.0, 1e-9}) {
    in.height_inches = inches;
    EXPECT_GT(scene_of(in).height, 30);
  }
}

TEST(figure_layout, is_the_same_each_time) {
  EXPECT_EQ(svg(samples::pareto_figure()), svg(samples::pareto_figure()));
}

}  // namespace
