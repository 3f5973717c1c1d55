#include "run/load_sweep.hpp"

#include <array>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/pattern.hpp"

namespace inferbench::run {
namespace {

metrics::report point_report(double throughput, double ttft, bool steady) {
  metrics::report out;
  out.add(metrics::metric::request_throughput, throughput);
  out.add(metrics::metric::output_throughput, 10 * throughput);
  metrics::statistics values;
  values.mean = ttft;
  values.median = ttft;
  values.quantiles = {ttft, ttft + 5};
  constexpr std::array asked = {50.0, 99.9};
  out.add(metrics::metric::ttft, values, asked, true);
  out.add(metrics::metric::tpot, values, asked, false);
  out.set_facts(steady ? R"({"steady_state": {"request_throughput": 1.5}})"
                       : R"({"steady_state": null})");
  return out;
}

TEST(load_sweep, summary_has_a_row_for_each_run_and_names_the_best) {
  load_sweep of({50, 90, 99.9});
  of.add("concurrency=1", point_report(1, 10, false));
  of.add("concurrency=8", point_report(6.25, 40, true));
  of.add("concurrency=16", point_report(6, 80, false));
  EXPECT_EQ(of.table(),
            "================================= Sweep Summary "
            "=================================\n"
            "                          Req/s      Tok/s   SS req/s P50 TTFT(ms) P99.9 TTFT(ms)\n"
            "concurrency=1              1.00      10.00          -        10.00          15.00\n"
            "concurrency=8              6.25      62.50       1.50        40.00          45.00\n"
            "concurrency=16             6.00      60.00          -        80.00          85.00\n"
            "=================================================================================\n"
            "Highest request throughput: 6.25 req/s at concurrency=8\n");
}

TEST(load_sweep, summary_without_runs_is_empty) { EXPECT_EQ(load_sweep({50}).table(), ""); }

TEST(load_sweep, a_point_replaces_only_its_own_part_of_the_load) {
  config::plan plan;
  plan.num_prompts = 7;
  plan.load.max_concurrency = 3;
  plan.points = {{"concurrency=2", 2, std::nullopt, 20}, {"rate=inf", {}, {}, {}}};
  plan.points[1].request_rate = std::numeric_limits<double>::infinity();
  const config::plan limited = at_point(plan, plan.points[0]);
  EXPECT_EQ(limited.load.max_concurrency, 2);
  EXPECT_EQ(limited.num_prompts, 20);
  EXPECT_TRUE(limited.points.empty());
  const config::plan at_rate = at_point(plan, plan.points[1]);
  EXPECT_EQ(at_rate.load.traffic, schedule::pattern(schedule::at_once{}));
  EXPECT_EQ(at_rate.load.max_concurrency, 3);
  EXPECT_EQ(at_rate.num_prompts, 7);
}

TEST(load_sweep, the_title_of_a_run_has_its_position_and_its_load) {
  const std::string title = point_title(2, 3, {"rate=2.5", {}, 2.5, {}});
  EXPECT_EQ(title.size(), 70U);
  EXPECT_THAT(title, ::testing::HasSubstr("- Run 2 of 3: rate=2.5 -"));
}

}  // namespace
}  // namespace inferbench::run
