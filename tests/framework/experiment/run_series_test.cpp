#include "experiment/run_series.hpp"

#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.hpp"
#include "experiment_box.hpp"
#include "server_box.hpp"

namespace inferbench::experiment {
namespace {

using testing::HasSubstr;

/// The runs of a plan with a server of the test.
class series_box : public experiment_box {
 public:
  std::optional<finished_run> run(int number) {
    return series.run(what, number, {1, 1, {}, number + 1, plan.num_runs});
  }

  combination what = combination_of(plan, {}, {}, "B");
  kept_output out;
  base::monotonic_clock clock;
  sweep_console console{out.get(), false, [](std::string_view) {}};
  sweep_progress progress{clock, false, [](const std::string&) {}};
  experiment_folder folder_of_runs{plan, [](const std::string&) {}};
  run_series series{plan, folder_of_runs, console, progress, stop};
};

TEST(run_series, cannot_make_a_run_before_it_is_opened) {
  series_box box;
  EXPECT_THROW(box.run(0), base::error);
  box.series.open(nullptr);
  EXPECT_TRUE(box.run(0).has_value());
  box.series.close();
  EXPECT_TRUE(box.run(0).has_value());
  EXPECT_THROW(box.run(1), base::error);
}

TEST(run_series, resets_the_caches_of_the_server_after_each_run) {
  series_box box;
  server_box server;
  server.start();
  box.series.open(server.running.get());
  EXPECT_TRUE(box.run(0).has_value());
  EXPECT_THAT(server.requests(), HasSubstr("/reset_prefix_cache"));
}

TEST(run_series, takes_a_failed_run_for_a_failed_server_if_the_server_has_died) {
  series_box box;
  server_box server;
  const std::string id = server.folder.quoted("id");
  std::vector<std::string> command{"sh", "-c", "echo $$ >" + id + R"(; exec "$0" "$@")"};
  command.insert(command.end(), server.setup.command.begin(), server.setup.command.end());
  server.setup.command = command;
  server.start();
  box.series.open(server.running.get());
  box.plan.continue_on_error = true;
  box.plan.bench_command = {"sh", "-c", "kill -9 $(cat " + id + "); exit 1"};
  EXPECT_THROW(box.run(0), failed_server);
}

TEST(run_series, keeps_the_result_of_a_run_after_which_the_server_dies) {
  series_box box;
  server_box server({"--fatal", "/reset_prefix_cache"});
  server.start();
  box.series.open(server.running.get());
  EXPECT_THROW(box.run(0), failed_server);
  EXPECT_NE(box.series.found(box.what, 0), nullptr);
}

TEST(run_series, warms_up_again_for_a_new_server) {
  series_box box;
  box.plan.warmup_prompts = 1;
  box.series.open(nullptr);
  box.run(0);
  box.series.open(nullptr);
  box.run(0);
  box.run(1);
  EXPECT_EQ(times("Run Number: -1\n", box.out.text()), 2U);
}

TEST(run_series, writes_no_summary_without_a_successful_run) {
  series_box box;
  box.series.conclude(box.what, {});
  EXPECT_THAT(box.out.text(), HasSubstr("[NO SUCCESSFUL MEASURED RUNS] "));
  EXPECT_FALSE(box.has("B/summary.json"));
}

TEST(run_series, writes_no_result_of_a_run_during_which_the_server_died) {
  series_box box;
  server_box server;
  const std::string id = server.folder.quoted("id");
  std::vector<std::string> command{"sh", "-c", "echo $$ >" + id + R"(; exec "$0" "$@")"};
  command.insert(command.end(), server.setup.command.begin(), server.setup.command.end());
  server.setup.command = command;
  server.start();
  box.series.open(server.running.get());
  box.plan.continue_on_error = true;
  box.plan.bench_command = {
      "sh", "-c", "kill -9 $(cat " + id + R"(); echo '{"completed": 3, "failed": 5}' >"$4/$6")"};
  EXPECT_THROW(box.run(0), failed_server);
  EXPECT_FALSE(box.has("B/run=0.json"));
  EXPECT_EQ(box.series.found(box.what, 0), nullptr);
}

TEST(run_series, names_a_result_without_a_completed_request_and_keeps_it) {
  series_box box;
  box.plan.bench_command = {"sh", "-c", R"(echo '{"completed": 0, "failed": 5}' >"$4/$6")"};
  box.series.open(nullptr);
  EXPECT_TRUE(box.run(0).has_value());
  EXPECT_THAT(box.plain(box.out.text()),
              HasSubstr("[NO COMPLETED REQUESTS] RESULTS/trip/B/run=0.json\n"));
  EXPECT_TRUE(box.has("B/run=0.json"));
}

}  // namespace
}  // namespace inferbench::experiment
