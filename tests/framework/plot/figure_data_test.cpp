#include "plot/figure_data.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "framework/plot/runs_of.hpp"

namespace inferbench::plot {
namespace {

figure_spec xy(std::vector<std::string> curve_by = {}) {
  figure_spec out;
  out.x = "x";
  out.y = "y";
  out.curve_by = std::move(curve_by);
  return out;
}

std::vector<std::string> labels_of(const figure_data& data, const std::size_t facet = 0) {
  std::vector<std::string> out;
  for (const curve& c : data.facets.at(facet).curves) {
    std::string label;
    for (const auto& [key, value] : c.by)
      label += value + " ";
    out.push_back(label);
  }
  return out;
}

TEST(figure_data, runs_with_equal_x_become_their_mean_with_the_sample_deviation) {
  const runs_of runs(R"([{"x": 2, "y": 1}, {"x": 1, "y": 10}, {"x": 2.0, "y": 2}, {"x": 2, "y": 3},
                         {"x": 1, "y": 14}, {"x": 3, "y": 5}])");
  const figure_data data = figure_of(xy(), runs.rows());
  ASSERT_EQ(data.facets.size(), 1U);
  ASSERT_EQ(data.facets[0].curves.size(), 1U);
  const std::vector<point>& points = data.facets[0].curves[0].points;
  ASSERT_EQ(points.size(), 3U);
  EXPECT_EQ(points[0].x, 1);
  EXPECT_EQ(points[0].y, 12);
  EXPECT_DOUBLE_EQ(*points[0].sd, std::sqrt(8.0));
  EXPECT_EQ(points[0].n, 2U);
  EXPECT_EQ(points[1].y, 2);
  EXPECT_DOUBLE_EQ(*points[1].sd, 1);
  EXPECT_EQ(points[1].n, 3U);
  EXPECT_EQ(points[2].sd, std::nullopt);
  EXPECT_EQ(data.points(), 3U);
  EXPECT_EQ(data.runs, 6U);
}

TEST(figure_data, without_error_bars_no_deviation_is_computed) {
  const runs_of runs(R"([{"x": 2, "y": 1}, {"x": 2, "y": 2}])");
  figure_spec spec = xy();
  spec.error_bars = false;
  EXPECT_EQ(figure_of(spec, runs.rows()).facets[0].curves[0].points[0].sd, std::nullopt);
}

TEST(figure_data, runs_whose_x_or_y_is_missing_or_infinite_are_not_drawn) {
  const runs_of runs(R"([{"x": 1, "y": 1}, {"x": null, "y": 1}, {"x": 1, "y": "inf"}, {"x": 1},
                         {"x": "-inf", "y": 2}, {"x": 1, "y": "nan"}])");
  const figure_data data = figure_of(xy(), runs.rows());
  EXPECT_EQ(data.runs, 1U);
  EXPECT_EQ(data.left_out, 5U);
}

TEST(figure_data, runs_without_a_completed_request_are_no_points_of_latency) {
  const runs_of runs(R"([{"x": 1, "y": 4, "completed": 2, "failed": 0},
                         {"x": 1, "y": 0, "completed": 0, "failed": 7}])");
  const figure_data data = figure_of(xy(), runs.rows());
  EXPECT_EQ(data.uncompleted, 1U);
  EXPECT_EQ(data.facets.at(0).curves.at(0).points.at(0).y, 4);
  figure_spec failures = xy();
  failures.y = "failed";
  EXPECT_EQ(figure_of(failures, runs.rows()).facets.at(0).curves.at(0).points.at(0).y, 3.5);
}

TEST(figure_data, names_the_parameters_that_differ_within_a_point) {
  const runs_of old(R"([{"x": 1, "y": 1, "num_prompts": 60, "run_number": 0, "tp": 1, "pp": 1}])");
  const runs_of fresh(R"([{"x": 1, "y": 2, "num_prompts": 20, "run_number": 0, "tp": 2, "pp": 1},
                          {"x": 2, "y": 2, "num_prompts": 30, "run_number": 0, "tp": 2, "pp": 3}])");
  std::vector<run_row> both = old.rows();
  both.insert(both.end(), fresh.table.rows().begin(), fresh.table.rows().end());
  EXPECT_THAT(figure_of(xy(), both).mixed, testing::ElementsAre("num_prompts", "tp"));
  EXPECT_THAT(figure_of(xy({"num_prompts"}), both).mixed, testing::IsEmpty());
}

TEST(figure_data, notices_repetitions_that_do_not_become_one_point) {
  const runs_of runs(R"([{"x": 1, "y": 1, "max_concurrency": 2, "run_number": 0, "name": "a"},
                         {"x": 2, "y": 2, "max_concurrency": 4, "run_number": 1, "name": "b"}])");
  const figure_data data = figure_of(xy(), runs.rows());
  EXPECT_TRUE(data.repetitions_apart);
  EXPECT_THAT(data.parameters, testing::ElementsAre("max_concurrency"));
  EXPECT_FALSE(figure_of(xy({"run_number"}), runs.rows()).repetitions_apart);
  figure_spec binned = xy();
  binned.binners = parse_binners("x%5");
  EXPECT_FALSE(figure_of(binned, runs.rows()).repetitions_apart);
}

TEST(figure_data, curves_are_in_the_order_of_their_keys_and_missing_ones_come_last) {
  const runs_of runs(R"([{"x": 1, "y": 1, "k": 10}, {"x": 1, "y": 1, "k": null},
                         {"x": 1, "y": 1, "k": "inf"}, {"x": 1, "y": 1, "k": "a"},
                         {"x": 1, "y": 1, "k": 2}, {"x": 1, "y": 1, "k": 2.0}, {"x": 1, "y": 1}])");
  const figure_data data = figure_of(xy({"k"}), runs.rows());
  EXPECT_THAT(labels_of(data), testing::ElementsAre("2 ", "10 ", "inf ", "a ", "None "));
  EXPECT_EQ(data.facets[0].curves[0].points[0].n, 2U);
  EXPECT_EQ(data.facets[0].curves[4].points[0].n, 2U);
}

TEST(figure_data, up_to_three_keys_number_colours_dashes_and_widths_for_the_whole_figure) {
  const runs_of runs(R"([{"x": 1, "y": 1, "r": 1, "a": 1, "b": "u", "c": true},
                         {"x": 1, "y": 1, "r": 2, "a": 2, "b": "v", "c": false}])");
  figure_spec spec = xy({"a", "b", "c"});
  spec.row_by = {"r"};
  const figure_data data = figure_of(spec, runs.rows());
  ASSERT_EQ(data.facets.size(), 2U);
  EXPECT_THAT(data.facets[0].curves[0].ranks, testing::ElementsAre(0, 0, 1));
  EXPECT_THAT(data.facets[1].curves[0].ranks, testing::ElementsAre(1, 1, 0));
}

TEST(figure_data, more_than_three_keys_number_combinations) {
  const runs_of runs(R"([{"x": 1, "y": 1, "a": 1, "b": 2, "c": 1, "d": 1},
                         {"x": 1, "y": 1, "a": 1, "b": 1, "c": 1, "d": 1}])");
  const figure_data data = figure_of(xy({"a", "b", "c", "d"}), runs.rows());
  EXPECT_THAT(labels_of(data), testing::ElementsAre("1 1 1 1 ", "1 2 1 1 "));
  EXPECT_THAT(data.facets[0].curves[1].ranks, testing::ElementsAre(1, 0, 0));
}

TEST(figure_data, facets_have_places_in_the_order_of_first_appearance) {
  const runs_of runs(R"([{"x": 1, "y": 1, "r": "b", "c": 2}, {"x": 1, "y": 1, "r": "a", "c": 1},
                         {"x": 1, "y": 1, "r": "b", "c": 1}])");
  figure_spec spec = xy();
  spec.row_by = {"r"};
  spec.column_by = {"c"};
  const figure_data data = figure_of(spec, runs.rows());
  EXPECT_EQ(data.rows, 2U);
  EXPECT_EQ(data.columns, 2U);
  ASSERT_EQ(data.facets.size(), 3U);
  EXPECT_EQ(data.facets[0].row, (group_key{{"r", "b"}}));
  EXPECT_EQ(data.facets[0].column, (group_key{{"c", "2"}}));
  EXPECT_EQ(data.facets[1].column_place, 1U);
  EXPECT_EQ(data.facets[2].row_place, 1U);
  EXPECT_EQ(data.facets[2].column_place, 1U);
}

TEST(figure_data, filters_come_before_binners) {
  const runs_of runs(R"([{"x": 1.2, "y": 1}, {"x": 1.8, "y": 3}, {"x": 2.5, "y": 9}])");
  figure_spec spec = xy();
  spec.filters = parse_filters("x<2");
  spec.binners = parse_binners("x%1");
  const figure_data data = figure_of(spec, runs.rows());
  ASSERT_EQ(data.points(), 1U);
  EXPECT_EQ(data.facets[0].curves[0].points[0].x, 1);
  EXPECT_EQ(data.facets[0].curves[0].points[0].y, 2);
}

TEST(figure_data, filters_that_leave_nothing_yield_no_point) {
  const runs_of runs(R"([{"x": 1, "y": 1}])");
  figure_spec spec = xy();
  spec.filters = parse_filters("x>1");
  EXPECT_EQ(figure_of(spec, runs.rows()).points(), 0U);
}

TEST(figure_data, unknown_columns_are_errors_that_name_the_flag) {
  const runs_of runs(R"([{"x": 1, "y": 1}])");
  const auto error_of = [&](const figure_spec& spec) -> std::string {
    try {
      static_cast<void>(figure_of(spec, runs.rows()));
    } catch (const base::error& e) {
      return e.where().file;
    }
    return "no error";
  };
  figure_spec spec = xy();
  spec.x = "z";
  EXPECT_EQ(error_of(spec), "--var-x");
  spec = xy();
  spec.y = "z";
  EXPECT_EQ(error_of(spec), "--var-y");
  EXPECT_EQ(error_of(xy({"z"})), "--curve-by");
  spec = xy();
  spec.row_by = {"z"};
  EXPECT_EQ(error_of(spec), "--row-by");
  spec = xy();
  spec.column_by = {"z"};
  EXPECT_EQ(error_of(spec), "--col-by");
  spec = xy();
  spec.filters = parse_filters("z==1");
  EXPECT_EQ(error_of(spec), "--filter-by");
  spec = xy();
  spec.binners = parse_binners("z%1");
  EXPECT_EQ(error_of(spec), "--bin-by");
}

TEST(figure_data, a_text_as_y_is_an_error) {
  const runs_of runs(R"([{"x": 1, "y": "fast"}])");
  EXPECT_THROW(static_cast<void>(figure_of(xy(), runs.rows())), base::error);
}

TEST(figure_data, a_point_counts_its_unstable_runs) {
  const runs_of runs(R"([{"x": 1, "y": 1, "request_rate": 10, "request_throughput": 5},
                         {"x": 1, "y": 1, "request_rate": 10, "request_throughput": 10}])");
  EXPECT_EQ(figure_of(xy(), runs.rows()).facets[0].curves[0].points[0].unstable, 1U);
}

}  // namespace
}  // namespace inferbench::plot
