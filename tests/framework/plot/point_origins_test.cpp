#include "plot/point_origins.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/plot/runs_of.hpp"

namespace inferbench::plot {
namespace {

TEST(point_origins, runs_of_other_curves_are_no_part_of_a_point) {
  const runs_of a(R"([{"num_prompts": 60}])");
  const runs_of b(R"([{"num_prompts": 20}])");
  for (const bool together : {true, false}) {
    point_origins origins{figure_spec()};
    origins.add(1, a.rows()[0]);
    if (!together) origins.begin_curve();
    origins.add(1, b.rows()[0]);
    figure_data out;
    origins.finish(out);
    EXPECT_EQ(out.mixed.size(), together ? 1U : 0U);
    EXPECT_FALSE(out.repetitions_apart);
  }
}

TEST(point_origins, repetitions_of_one_file_do_not_mix) {
  const runs_of runs(R"([{"num_prompts": 60}, {"num_prompts": 20}])");
  point_origins origins{figure_spec()};
  for (const run_row& row : runs.rows())
    origins.add(1, row);
  figure_data out;
  origins.finish(out);
  EXPECT_THAT(out.mixed, testing::IsEmpty());
}

}  // namespace
}  // namespace inferbench::plot
