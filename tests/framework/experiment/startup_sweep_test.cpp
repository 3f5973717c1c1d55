// Sweeps of starts, whose benchmark is tests/fixtures/experiment/start.sh.
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "experiment/experiment.hpp"
#include "experiment/startable.hpp"
#include "experiment_box.hpp"
#include "support/golden.hpp"

namespace inferbench::experiment {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

std::string startup_golden(const std::string& name) {
  return std::string(INFERBENCH_FIXTURES) + "/experiment/" + name;
}

/// Two items of a server and two of the benchmark, one run each.
class startup_box : public experiment_box {
 public:
  startup_box() {
    plan.does = sweep::kind::startup;
    plan.bench_command = {"sh", startup_golden("start.sh"), "--output-json", "elsewhere.json"};
    plan.serve_items = items(R"([{"max_num_seqs": 16, "x": true}, {}])");
    plan.bench_items = items(R"({"quick": {"num_iters_cold": 1}, "small": {"max_num_seqs": 8}})");
    plan.num_runs = 1;
    plan.notes = {"Ignoring unsupported startup params for port=1: port"};
  }
};

TEST(startup_sweep, prints_and_writes_what_upstream_does) {
  startup_box box;
  support::expect_golden(box.carry_out(), startup_golden("startup.txt"));
  support::expect_golden(box.read("summary.csv"), startup_golden("startup.csv"));
  support::expect_golden(box.read("SERVE--max_num_seqs=16-x=True-STARTUP--small/summary.json"),
                         startup_golden("startup_summary.json"));
  support::expect_golden(box.read("STARTUP--quick/run=0.json"), startup_golden("startup_run.json"));
  EXPECT_TRUE(box.last.all_made);
  EXPECT_TRUE(box.last.all_completed);
  ASSERT_THAT(box.last.runs, SizeIs(4));
  EXPECT_FALSE(box.has(".part"));
  EXPECT_FALSE(std::filesystem::exists("elsewhere.json"));
}

TEST(startup_sweep, prints_in_a_dry_run_what_it_would_do_and_creates_nothing) {
  startup_box box;
  box.plan.dry_run = true;
  box.plan.bench_command = {"start-engine"};
  box.plan.bench_items.resize(1);
  testing::internal::CaptureStderr();
  support::expect_golden(box.carry_out(), startup_golden("startup_dry_run.txt"));
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "Warning: --startup-cmd: the program start-engine is not in $PATH\n"
            "Dry run: 2 combinations, 1 run of each, 2 in total; nothing was started.\n");
  EXPECT_THAT(box.last.runs, IsEmpty());
  EXPECT_FALSE(box.has(""));
}

TEST(startup_sweep, does_not_repeat_what_is_finished) {
  startup_box box;
  static_cast<void>(box.carry_out());
  const auto before = box.results();
  box.plan.bench_command = {"false"};
  const std::string printed = box.resume();
  EXPECT_EQ(times("[SKIPPED BENCHMARK]", printed), 4U);
  EXPECT_THAT(printed, HasSubstr("Another --startup-cmd than before; runs that are finished"));
  EXPECT_EQ(box.results(), before);
}

TEST(startup_sweep, makes_only_the_missing_runs_and_uses_no_unfinished_result) {
  startup_box box;
  static_cast<void>(box.carry_out());
  const auto before = box.results();
  std::filesystem::remove(box.file("STARTUP--small/run=0.json"));
  std::filesystem::remove(box.file("summary.csv"));
  box.write("STARTUP--quick/run=0.json", R"({"avg_cold_startup_time": 1)");
  std::filesystem::create_directories(box.file(".part/STARTUP--small"));
  box.write(".part/STARTUP--small/run=0.json", "{}");
  EXPECT_EQ(times("[SKIPPED BENCHMARK]", box.resume()), 2U);
  EXPECT_EQ(box.results(), before);
}

TEST(startup_sweep, adds_runs_when_more_are_asked_for) {
  startup_box box;
  static_cast<void>(box.carry_out());
  box.plan.num_runs = 3;
  EXPECT_EQ(times("[SKIPPED BENCHMARK]", box.resume()), 4U);
  EXPECT_THAT(box.last.runs, SizeIs(12));
  EXPECT_TRUE(box.has("STARTUP--quick/run=2.json"));
}

TEST(startup_sweep, runs_again_a_combination_whose_server_parameters_have_changed) {
  startup_box box;
  box.plan.serve_items = experiment_box::items(R"({"s": {"max_num_seqs": 16}})");
  static_cast<void>(box.carry_out());
  box.plan.serve_items = experiment_box::items(R"({"s": {"max_num_seqs": 32}})");
  const std::string printed = box.resume();
  EXPECT_THAT(printed, HasSubstr("SERVE--s-STARTUP--quick have changed since its runs"));
  EXPECT_EQ(times("[SKIPPED BENCHMARK]", printed), 0U);
  EXPECT_THAT(box.read("SERVE--s-STARTUP--quick/run=0.json"), HasSubstr("--max-num-seqs 32"));
}

TEST(startup_sweep, ends_early_with_the_way_to_continue) {
  startup_box box;
  box.plan.bench_command.emplace_back("--fail");
  std::string message;
  testing::internal::CaptureStderr();
  try {
    static_cast<void>(box.carry_out());
  } catch (const base::error& e) {
    message = e.what();
  }
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("no memory"));
  EXPECT_THAT(message,
              AllOf(StartsWith("the sweep was terminated early: the benchmark sh ended with exit "
                               "status 1"),
                    HasSubstr("--resume --experiment-name trip continues")));
  EXPECT_FALSE(box.has("summary.csv"));
}

TEST(startup_sweep, goes_on_after_a_failure_if_it_is_told_to) {
  startup_box box;
  box.plan.continue_on_error = true;
  box.plan.serve_items = experiment_box::items(R"([{"fail": true}, {}])");
  testing::internal::CaptureStderr();
  const std::string printed = box.carry_out();
  static_cast<void>(testing::internal::GetCapturedStderr());
  EXPECT_FALSE(box.last.all_made);
  EXPECT_THAT(box.last.runs, SizeIs(2));
  EXPECT_EQ(times("[FAILED BENCHMARK] run=0: ", printed), 2U);
  EXPECT_TRUE(box.has("SERVE--fail=True-STARTUP--quick/run=0.failure.json"));
  EXPECT_FALSE(box.has("SERVE--fail=True-STARTUP--quick/summary.json"));
}

TEST(startup_sweep, without_parameters_has_its_files_in_the_folder_of_the_experiment) {
  startup_box box;
  box.plan.serve_items = {sweep::item()};
  box.plan.bench_items = {sweep::item()};
  const std::string printed = box.carry_out();
  EXPECT_THAT(printed, AllOf(HasSubstr("Serve overrides: {}\nStartup overrides: {}\n"),
                             Not(HasSubstr("[BEGIN SERVER]"))));
  EXPECT_TRUE(box.has("run=0.json"));
  EXPECT_TRUE(box.has("summary.json"));
  EXPECT_TRUE(box.has("summary.csv"));
}

TEST(startup_sweep, needs_the_program_of_its_benchmark) {
  startup_box box;
  box.plan.bench_command = {"start-engine"};
  try {
    require_programs(box.plan);
    ADD_FAILURE() << "accepted";
  } catch (const base::error& e) {
    EXPECT_THAT(e.what(), StartsWith("--startup-cmd: the program start-engine is not in $PATH"));
  }
}

}  // namespace
}  // namespace inferbench::experiment
