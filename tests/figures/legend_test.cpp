#include "legend.hpp"

#include <string>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "figures/samples.hpp"

namespace {

using namespace figures;
using samples::figure_of;
using samples::plain_curve;
using testing::Contains;
using testing::ElementsAre;

std::vector<std::string> legend_of(const figure& what, double height = 400,
                                   std::size_t left_out = 0) {
  scene drawn;
  legend_box(what, height, left_out).draw({0, 0}, drawn);
  std::vector<std::string> out;
  for (const shape& each : drawn.shapes)
    if (const auto* text = std::get_if<writing>(&each)) out.push_back(text->text);
  return out;
}

TEST(legend, names_each_curve_once_for_all_panels) {
  figure what = figure_of({plain_curve("a=1", {{1, 2}}), plain_curve("a=2", {{1, 2}})});
  what.panels.push_back(what.panels.front());
  EXPECT_THAT(legend_of(what), ElementsAre("a=1", "a=2"));
}

TEST(legend, has_a_line_for_each_line_of_a_label) {
  EXPECT_THAT(legend_of(figure_of({plain_curve("a=1\nb=2", {{1, 2}})})), ElementsAre("a=1", "b=2"));
}

TEST(legend, explains_hollow_points_even_if_curves_need_no_legend) {
  figure what = figure_of({plain_curve("a", {{1, 2}})});
  what.legend = false;
  EXPECT_EQ(legend_box(what, 400, 0).width(), 0);
  what.panels[0].curves[0].points[0].weak = true;
  EXPECT_THAT(legend_of(what), ElementsAre("unstable"));
}

TEST(legend, says_how_many_labels_have_no_room) {
  EXPECT_THAT(legend_of(figure_of({}), 400, 3), ElementsAre("3 labels have", "no room"));
}

TEST(legend, of_many_curves_has_columns_and_counts_the_rest) {
  std::vector<curve> curves;
  for (int i = 0; i < 500; ++i)
    curves.push_back(plain_curve("curve " + std::to_string(i), {{1, 2}}));
  const std::vector<std::string> found = legend_of(figure_of(curves), 200);
  // Three columns of 200 / 17 entries; the last of them is the count.
  EXPECT_EQ(found.size(), 33U);
  EXPECT_EQ(found.back(), "\xE2\x80\xA6 and 468 more");
}

TEST(legend, breaks_long_labels_behind_commas) {
  const std::string a = "tensor_parallel_size=8", b = "max_num_batched_tokens=65536",
                    c = "enable_prefix_caching=False";
  const figure what = figure_of({plain_curve(a + ", " + b + ", " + c, {{1, 2}})});
  EXPECT_THAT(legend_of(what), ElementsAre(a + ",", b + ",", c));
  EXPECT_THAT(legend_of(figure_of({plain_curve("a=1, b=2", {{1, 2}})})), ElementsAre("a=1, b=2"));
}

TEST(legend, cuts_long_labels) {
  const figure what = figure_of({plain_curve(std::string(100'000, 'x'), {{1, 2}})});
  EXPECT_LT(legend_box(what, 400, 0).width(), 320);
}

TEST(legend, has_an_entry_even_if_the_panels_are_lower_than_a_line) {
  EXPECT_THAT(legend_of(figure_of({plain_curve("a", {{1, 2}})}), 1), Contains("a"));
}

}  // namespace
