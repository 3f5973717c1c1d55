#include "plot/saved_data.hpp"

#include <string>

#include <gtest/gtest.h>

#include "framework/plot/runs_of.hpp"

namespace inferbench::plot {
namespace {

TEST(saved_data, a_figure_has_its_facets_curves_and_points) {
  const runs_of runs(R"([{"x": 1, "y": 2, "r": "a", "k": 1}, {"x": 1, "y": 4, "r": "a", "k": 1},
                         {"x": 2, "y": 5, "r": "b", "k": 1}])");
  figure_spec spec;
  spec.x = "x";
  spec.y = "y";
  spec.scale_y = "log";
  spec.row_by = {"r"};
  spec.curve_by = {"k"};
  EXPECT_EQ(saved_data(figure_of(spec, runs.rows())),
            R"({"x": "x", "y": "y", "scale_x": null, "scale_y": "log", "facets": [)"
            R"({"row": {"r": "a"}, "col": null, "curves": [{"by": {"k": "1"}, "points": [)"
            R"({"x": 1.0, "y": 3.0, "sd": 1.4142135623730951, "n": 2}]}]}, )"
            R"({"row": {"r": "b"}, "col": null, "curves": [{"by": {"k": "1"}, "points": [)"
            R"({"x": 2.0, "y": 5.0, "sd": null, "n": 1}]}]}]})"
            "\n");
}

TEST(saved_data, pareto_points_have_their_run_and_their_cost) {
  const runs_of runs(R"([{"output_throughput": 100, "max_concurrency": 10}])");
  pareto_spec spec;
  spec.gpu_price_per_hour = 0.36;
  const std::string run = R"("file": ")" + runs.folder.path("summary.json") +
                          R"(", "run": 0, "runs": 1, "user_count_estimate": 10.0, )"
                          R"("gpu_count": 1.0, "unstable": false, "cost_per_million_tokens": 1.0})";
  EXPECT_EQ(saved_data(pareto_of(spec, runs.rows())),
            R"({"points": [{"x": 10.0, "y": 100.0, )" + run +
                R"(], "frontier": [{"x": 10.0, "y": 100.0, )"
                R"("label": "max_concurrency=10\ngpu_count=1.0\ncost_per_million_tokens=1", )" +
                run + "]}\n");
}

}  // namespace
}  // namespace inferbench::plot
