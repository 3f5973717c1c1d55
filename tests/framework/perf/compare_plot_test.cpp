#include "perf/compare_plot.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "framework/perf/compare_files.hpp"

namespace inferbench::perf {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

figures::figure comparison_plot_of(metric_role role, const std::vector<std::string>& texts,
                                   const std::string& x = "# of max concurrency.") {
  return comparison_plot(frame_of(role, false, files_with(texts)), x, {});
}

TEST(a_comparison_plot, has_a_curve_for_each_file) {
  const figures::figure plot =
      comparison_plot_of(metric_role::throughput, {example_a(), example_b()});
  EXPECT_EQ(plot.x_label, "# of max concurrency.");
  EXPECT_EQ(plot.y_label, "Output Tput (tok/s)");
  const auto& curves = plot.panels.at(0).curves;
  ASSERT_EQ(curves.size(), 2U);
  EXPECT_EQ(curves[0].label, "a");
  EXPECT_EQ(curves[1].label, "b");
  EXPECT_NE(curves[0].colour, curves[1].colour);
  ASSERT_EQ(curves[1].points.size(), 3U);
  EXPECT_EQ(curves[1].points[2].x, 24);
  EXPECT_EQ(curves[1].points[2].y, 320);
  EXPECT_EQ(curves[1].points[2].detail,
            "b\n# of max concurrency. 24.00\nOutput Tput (tok/s) 320.00");
}

TEST(the_plot_of_a_latency, has_a_dashed_line_at_its_limit) {
  const figures::figure ttft = comparison_plot_of(metric_role::ttft, {example_a()});
  ASSERT_EQ(ttft.panels.at(0).curves.size(), 2U);
  const figures::curve& line = ttft.panels[0].curves[1];
  EXPECT_EQ(line.label, "TTFT limit");
  EXPECT_EQ(line.dash, 1);
  ASSERT_EQ(line.points.size(), 2U);
  EXPECT_EQ(line.points[0].x, 12);
  EXPECT_EQ(line.points[1].x, 24);
  EXPECT_EQ(line.points[1].y, 3000);
  const figures::figure tpot = comparison_plot_of(metric_role::tpot, {example_a()});
  EXPECT_EQ(tpot.y_label, "P99 TPOT (ms)");
  EXPECT_EQ(tpot.panels.at(0).curves.at(1).label, "TPOT limit");
  EXPECT_EQ(tpot.panels[0].curves[1].points.at(0).y, 100);
  EXPECT_NE(tpot.panels[0].curves[1].colour, line.colour);
}

TEST(a_comparison_plot, leaves_out_what_has_no_place) {
  const std::string row = "[" + serving_row("12", "Infinity", "1", "1") + "," +
                          serving_row("16", "NaN", "1", "1") + "," +
                          serving_row("\"x\"", "5", "1", "1") + "]";
  EXPECT_FALSE(has_points(comparison_plot_of(metric_role::throughput, {row})));
  EXPECT_FALSE(has_points(comparison_plot_of(metric_role::ttft, {row}, "qps")))
      << "the rate is infinite";
  EXPECT_FALSE(has_points(comparison_plot_of(metric_role::ttft, {row}, "Model")));
  EXPECT_TRUE(has_points(comparison_plot_of(metric_role::ttft, {row})));
}

TEST(an_inline_picture, is_an_svg_element_whose_ids_are_its_own) {
  const std::string svg = inline_svg(comparison_plot_of(metric_role::ttft, {example_a()}), "plot7");
  EXPECT_TRUE(svg.starts_with("<svg ")) << svg.substr(0, 40);
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_THAT(svg, HasSubstr("id=\"plot7-clip1\""));
  EXPECT_THAT(svg, HasSubstr("clip-path=\"url(#plot7-clip1)\""));
  EXPECT_THAT(svg, Not(HasSubstr("\"clip1")));
  EXPECT_THAT(svg, HasSubstr("TTFT limit"));
}

TEST(an_inline_picture, escapes_the_labels) {
  auto files = files_with({example_a()});
  files[0].label = "<script>alert(1)</script> id=\"clip1\"";
  const figures::figure plot =
      comparison_plot(frame_of(metric_role::throughput, false, files), concurrency_title, {});
  const std::string svg = inline_svg(plot, "p");
  EXPECT_THAT(svg, Not(HasSubstr("<script")));
  EXPECT_THAT(svg, HasSubstr("id=&quot;clip1&quot;"));
}

}  // namespace
}  // namespace inferbench::perf
