#include "plot/parameters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/plot/runs_of.hpp"

namespace inferbench::plot {
namespace {

TEST(parameters, keys_of_the_sweep_and_settings_of_results_are_parameters_and_figures_are_not) {
  const runs_of runs(R"([
    {"date": "1", "num_prompts": 60, "p99_ttft_ms": 5, "run_number": 0, "_benchmark_name": "a",
     "max_num_seqs": 2, "tp": 1},
    {"date": "2", "num_prompts": 20, "p99_ttft_ms": 6, "run_number": 1, "_benchmark_name": "b",
     "max_num_seqs": 2.0}])");
  EXPECT_THAT(differing_parameters(runs.rows()),
              testing::ElementsAre("num_prompts", "_benchmark_name", "tp"));
}

TEST(parameters, two_spellings_are_one_parameter) {
  const runs_of runs(R"([
    {"max_concurrency": 1, "run_number": 0, "max-concurrency": 1},
    {"max_concurrency": 2, "run_number": 0, "max-concurrency": 2}])");
  EXPECT_THAT(differing_parameters(runs.rows()), testing::ElementsAre("max_concurrency"));
  EXPECT_TRUE(same_key("a-b_c", "a_b-c"));
  EXPECT_FALSE(same_key("a-b", "a-c"));
}

TEST(parameters, no_rows_have_no_parameters) { EXPECT_TRUE(differing_parameters({}).empty()); }

}  // namespace
}  // namespace inferbench::plot
