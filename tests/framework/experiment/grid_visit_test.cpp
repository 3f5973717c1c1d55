#include "experiment/grid_visit.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.hpp"
#include "experiment_box.hpp"

namespace inferbench::experiment {
namespace {

using testing::ElementsAre;

/// A visit of two combinations, "a" and "b", with two runs each.
class visit_box : public experiment_box {
 public:
  visit_box() {
    plan.bench_items = items(R"({"a": {"x": 1}, "b": {"x": 2}})");
    plan.in_order = sweep::plan::order::abba;
    series.open(nullptr);
  }

  [[nodiscard]] grid_visit visit() {
    return {{plan, folder_of_runs, series, [](const std::string&) {}},
            plan.serve_items.front(),
            {&plan.bench_items[0], &plan.bench_items[1]},
            0,
            2};
  }
  static std::vector<std::string> names_of(const std::vector<finished_run>& runs) {
    std::vector<std::string> out;
    for (const finished_run& each : runs)
      out.push_back(each.bench.name() + std::to_string(each.run_number));
    return out;
  }

  kept_output out;
  base::monotonic_clock clock;
  sweep_console console{out.get(), false, [](std::string_view) {}};
  sweep_progress progress{clock, false, [](const std::string&) {}};
  experiment_folder folder_of_runs{plan, [](const std::string&) {}};
  run_series series{plan, folder_of_runs, console, progress, stop};
};

TEST(grid_visit, counts_the_missing_runs_and_their_warm_ups) {
  visit_box box;
  EXPECT_EQ(box.visit().missing(), 4U);
  box.plan.warmup_prompts = 1;
  EXPECT_EQ(box.visit().missing(), 6U);
  box.visit().carry_out(0);
  EXPECT_EQ(box.visit().missing(), 0U);
  std::filesystem::remove(box.file("BENCH--b/run=1.json"));
  EXPECT_EQ(box.visit().missing(), 2U);
}

TEST(grid_visit, has_its_results_in_the_order_of_the_combinations) {
  visit_box box;
  grid_visit visit = box.visit();
  visit.carry_out(0);
  EXPECT_THAT(visit_box::names_of(visit.take_runs()), ElementsAre("a0", "a1", "b0", "b1"));
  EXPECT_TRUE(visit.take_runs().empty());
}

TEST(grid_visit, keeps_what_there_is_when_the_server_has_failed) {
  visit_box box;
  box.visit().carry_out(0);
  std::filesystem::remove(box.file("BENCH--a/run=0.json"));
  std::filesystem::remove_all(box.file("BENCH--b"));
  grid_visit visit = box.visit();
  visit.keep_found();
  EXPECT_THAT(visit_box::names_of(visit.take_runs()), ElementsAre("a1"));
  EXPECT_EQ(times("run_number", box.read("BENCH--a/summary.json")), 1U);
  EXPECT_FALSE(box.has("BENCH--b/summary.json"));
}

}  // namespace
}  // namespace inferbench::experiment
