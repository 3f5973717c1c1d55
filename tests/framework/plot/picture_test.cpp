#include "plot/picture.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "framework/plot/runs_of.hpp"

namespace inferbench::plot {
namespace {

figures::figure drawn_figure(const std::string& summary, figure_spec spec) {
  const runs_of runs(summary);
  spec.x = "x";
  spec.y = "y";
  return picture_of(figure_of(spec, runs.rows()), "title");
}

TEST(picture, scales_have_the_names_of_matplotlib) {
  EXPECT_EQ(scale_of("", "--scale-x"), figures::scale::linear);
  EXPECT_EQ(scale_of("log", "--scale-x"), figures::scale::log);
  EXPECT_EQ(scale_of("symlog", "--scale-x"), figures::scale::symlog);
  EXPECT_EQ(scale_of("sqrt", "--scale-x"), figures::scale::sqrt);
  try {
    static_cast<void>(scale_of("logarithmic", "--scale-x"));
    FAIL();
  } catch (const base::error& e) {
    EXPECT_STREQ(e.what(),
                 "--scale-x: unknown scale \"logarithmic\"; use one of linear, log, symlog, sqrt");
  }
}

TEST(picture, a_curve_has_a_band_a_label_and_details) {
  figure_spec spec;
  spec.curve_by = {"a", "b"};
  spec.row_by = {"r"};
  spec.column_by = {"c"};
  const figures::figure f = drawn_figure(
      R"([{"x": 1, "y": 2, "a": 1, "b": 2, "r": 3, "c": 4},
          {"x": 1, "y": 4, "a": 1, "b": 2, "r": 3, "c": 4}])",
      spec);
  EXPECT_EQ(f.x_label, "x");
  EXPECT_EQ(f.y_label, "y");
  EXPECT_TRUE(f.legend);
  ASSERT_EQ(f.panels.size(), 1U);
  EXPECT_EQ(f.panels[0].title, "r=3\nc=4");
  const figures::curve& c = f.panels[0].curves.at(0);
  EXPECT_EQ(c.label, "a=1, b=2");
  ASSERT_EQ(c.points.size(), 1U);
  EXPECT_EQ(c.points[0].y, 3);
  EXPECT_NEAR(c.points[0].low, 3 - 1.41421, 1e-4);
  EXPECT_NEAR(c.points[0].high, 3 + 1.41421, 1e-4);
  EXPECT_EQ(c.points[0].detail, "x 1\ny 3 ± 1.41 (1 sample standard deviation)\nmean of 2 runs");
  EXPECT_THAT(f.notes, testing::ElementsAre("1 point of 2 runs, 2 runs for each point; bands: ± 1 "
                                            "sample standard deviation"));
}

TEST(picture, more_than_three_keys_are_lines_of_the_label) {
  figure_spec spec;
  spec.curve_by = {"a", "b", "c", "d"};
  const figures::figure f =
      drawn_figure(R"([{"x": 1, "y": 2, "a": 1, "b": 2, "c": 3, "d": 4}])", spec);
  EXPECT_EQ(f.panels.at(0).curves.at(0).label, "a=1\nb=2\nc=3\nd=4");
}

TEST(picture, without_curve_keys_there_is_no_legend) {
  EXPECT_FALSE(drawn_figure(R"([{"x": 1, "y": 2}])", {}).legend);
}

TEST(picture, points_without_a_place_on_a_log_scale_are_counted_and_bands_keep_their_ends) {
  figure_spec spec;
  spec.scale_x = "log";
  spec.scale_y = "log";
  const figures::figure f = drawn_figure(
      R"([{"x": 0, "y": 1}, {"x": 1, "y": -1}, {"x": 1, "y": 1}, {"x": 2, "y": 1}, {"x": 2, "y": 9},
          {"x": 3, "y": 2}])",
      spec);
  const std::vector<figures::point>& points = f.panels.at(0).curves.at(0).points;
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[0].y, 5);
  EXPECT_LT(points[0].low, 0);
  EXPECT_THAT(f.notes, testing::Contains("2 points without a place on the scale not drawn"));
}

TEST(picture, notes_say_which_runs_are_missing_mixed_or_apart) {
  const figures::figure f = drawn_figure(
      R"([{"x": 1, "y": 2, "max_concurrency": 1}, {"x": 2, "y": 2, "max_concurrency": 4},
          {"x": 2, "y": 0, "completed": 0}])",
      {});
  EXPECT_THAT(f.notes,
              testing::ElementsAre(
                  "2 points of 2 runs, 1 run for each point",
                  "repeated runs are points of their own, because each has another x: name a "
                  "parameter with --var-x (max_concurrency), or round with --bin-by x%SIZE",
                  "1 run without a completed request not drawn"));
  figure_data mixed;
  mixed.mixed = {"num_prompts", "tp"};
  EXPECT_THAT(picture_of(mixed, "title").notes,
              testing::Contains("points mix runs with different num_prompts, tp: separate them "
                                "with --curve-by or --filter-by"));
}

TEST(picture, pareto_notes_say_how_users_were_counted_and_what_labels_lack) {
  pareto_data data;
  EXPECT_THAT(pareto_notes(data), testing::IsEmpty());
  data.points.resize(1);
  data.points[0].peak = true;
  data.labels = {"gpu_count"};
  data.unlabelled = {"seqs", "tp"};
  EXPECT_THAT(pareto_notes(data),
              testing::ElementsAre(
                  "the number of users of 1 run is the peak of requests in flight, because no "
                  "concurrency was set: tokens/s/user is not the speed of a real user",
                  "labels do not show seqs, tp: add them with --label-by gpu_count,seqs,tp"));
}

TEST(picture, an_unstable_point_is_weak_and_named) {
  const figures::figure f = drawn_figure(
      R"([{"x": 1, "y": 2, "request_rate": 9, "request_throughput": 3}, {"x": null, "y": 2}])", {});
  EXPECT_TRUE(f.panels.at(0).curves.at(0).points.at(0).weak);
  EXPECT_THAT(f.panels[0].curves[0].points[0].detail,
              testing::HasSubstr("unstable: in 1 run the server did not keep up"));
  EXPECT_THAT(f.notes,
              testing::Contains(testing::HasSubstr("1 unstable point: offered more than")));
  EXPECT_THAT(f.notes, testing::Contains("1 run without a finite x and y not drawn"));
}

TEST(picture, the_pareto_figure_has_all_runs_and_the_frontier) {
  const runs_of runs(R"([{"output_throughput": 100, "max_concurrency": 1},
                         {"output_throughput": 50, "max_concurrency": 1},
                         {"output_throughput": 1, "max_concurrency": null}])");
  const figures::figure f = picture_of(pareto_of({}, runs.rows()), "title");
  EXPECT_EQ(f.x_label, "Tokens/s/user");
  EXPECT_EQ(f.y_label, "Tokens/s/GPU");
  ASSERT_EQ(f.panels.at(0).curves.size(), 2U);
  const figures::curve& all = f.panels[0].curves[0];
  EXPECT_EQ(all.label, "All runs");
  EXPECT_TRUE(all.grey);
  EXPECT_FALSE(all.line);
  EXPECT_EQ(all.points.size(), 2U);
  EXPECT_EQ(all.points[0].label, "");
  const figures::curve& frontier = f.panels[0].curves[1];
  EXPECT_EQ(frontier.label, "Pareto frontier");
  ASSERT_EQ(frontier.points.size(), 1U);
  EXPECT_EQ(frontier.points[0].label, "max_concurrency=1\ngpu_count=1.0");
  EXPECT_THAT(f.notes, testing::ElementsAre(
                           testing::StartsWith("2 runs, 1 on the frontier"),
                           "Frontier: 100.00 tokens/s/user, 100.00 tokens/s/GPU, "
                           "max_concurrency=1, gpu_count=1.0; run 1 of 3 of its combination",
                           "1 run without a number of users not drawn"));
}

}  // namespace
}  // namespace inferbench::plot
