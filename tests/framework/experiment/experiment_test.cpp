#include "experiment/experiment.hpp"

#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "experiment/experiment_texts.hpp"
#include "experiment/sweep_lock.hpp"
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

std::string experiment_golden(const std::string& name) {
  return std::string(INFERBENCH_FIXTURES) + "/experiment/" + name;
}

constexpr const char* begun = "[BEGIN BENCHMARK]";
constexpr const char* skipped = "[SKIPPED BENCHMARK]";
constexpr const char* two_benches = R"({"small": {"x": 1}, "big": {"x": 2.5, "y": true}})";

/// Two benchmark items, two runs each, and a server that is not ours.
class grid_box : public experiment_box {
 public:
  grid_box() { plan.bench_items = items(two_benches); }
};

std::string message_of(experiment_box& box) {
  try {
    static_cast<void>(box.carry_out());
  } catch (const base::error& e) {
    return box.plain(e.what());
  }
  return {};
}

TEST(experiment, prints_and_writes_what_upstream_does) {
  grid_box box;
  support::expect_golden(box.carry_out(), experiment_golden("serve.txt"));
  support::expect_golden(box.read("summary.csv"), experiment_golden("summary.csv"));
  support::expect_golden(box.read("BENCH--big/summary.json"), experiment_golden("summary.json"));
  support::expect_golden(box.read("BENCH--big/run=1.json"), experiment_golden("run.json"));
  EXPECT_TRUE(box.last.all_made);
  EXPECT_TRUE(box.last.all_completed);
  ASSERT_THAT(box.last.runs, SizeIs(4));
  EXPECT_EQ(box.last.runs[3].file, box.file("BENCH--big/run=1.json"));
  EXPECT_FALSE(box.has(".part"));
}

TEST(experiment, prints_in_a_dry_run_what_it_would_do_and_creates_nothing) {
  grid_box box;
  box.plan.dry_run = true;
  box.plan.serve_command = {"serve-model", "--port", "8001"};
  box.plan.after_bench = {"true"};
  box.plan.serve_items = experiment_box::items(R"([{"max_num_seqs": 16}, {"max_num_seqs": 32}])");
  testing::internal::CaptureStderr();
  support::expect_golden(box.carry_out(), experiment_golden("dry_run.txt"));
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "Warning: --serve-cmd: the program serve-model is not in $PATH\n"
            "Dry run: 4 combinations, 2 runs of each, 8 in total; nothing was started.\n");
  EXPECT_THAT(box.last.runs, IsEmpty());
  EXPECT_FALSE(box.has(""));
}

TEST(experiment, does_not_repeat_what_is_finished) {
  grid_box box;
  static_cast<void>(box.carry_out());
  const auto before = box.results();
  box.plan.bench_command = {"false"};
  const std::string printed = box.resume();
  EXPECT_EQ(times(skipped, printed), 4U);
  EXPECT_THAT(printed,
              HasSubstr("Another --bench-cmd than before; runs that are finished are kept"));
  EXPECT_EQ(box.results(), before);
}

TEST(experiment, makes_only_the_missing_run_again) {
  grid_box box;
  static_cast<void>(box.carry_out());
  const auto before = box.results();
  std::filesystem::remove(box.file("BENCH--big/run=0.json"));
  std::filesystem::remove(box.file("BENCH--big/summary.json"));
  std::filesystem::remove(box.file("summary.csv"));
  EXPECT_EQ(times(skipped, box.resume()), 3U);
  EXPECT_EQ(box.results(), before);
}

TEST(experiment, does_not_trust_a_result_that_is_cut_or_no_object) {
  grid_box box;
  static_cast<void>(box.carry_out());
  const auto before = box.results();
  box.write("BENCH--small/run=0.json", R"({"request_throughput": 1)");
  box.write("BENCH--small/run=1.json", "[]");
  box.write("BENCH--big/run=0.json", "");
  const std::string printed = box.resume();
  EXPECT_EQ(times(skipped, printed), 1U);
  EXPECT_EQ(times("Not usable, so the run is made again: RESULTS/trip/BENCH--", printed), 3U);
  EXPECT_EQ(box.results(), before);
}

TEST(experiment, uses_no_result_that_an_unfinished_run_left) {
  grid_box box;
  static_cast<void>(box.carry_out());
  const auto before = box.results();
  std::filesystem::remove(box.file("BENCH--big/run=0.json"));
  std::filesystem::create_directories(box.file(".part/BENCH--big"));
  box.write(".part/BENCH--big/run=0.json", "{}");
  static_cast<void>(box.resume());
  EXPECT_EQ(box.results(), before);
  EXPECT_FALSE(box.has(".part"));
}

TEST(experiment, makes_the_runs_of_changed_parameters_again_and_keeps_the_old_files) {
  grid_box box;
  static_cast<void>(box.carry_out());
  const std::string old = box.read("BENCH--big/run=0.json");
  box.plan.bench_items = experiment_box::items(R"({"small": {"x": 1}, "big": {"x": 3}})");
  const std::string printed = box.resume();
  EXPECT_THAT(printed,
              HasSubstr("The parameters of RESULTS/trip/BENCH--big have changed since its runs.\n"
                        "The old results are now in RESULTS/trip/.old/1/BENCH--big; the runs are "
                        "made again.\n"));
  EXPECT_EQ(times(skipped, printed), 2U);
  EXPECT_EQ(box.read(".old/1/BENCH--big/run=0.json"), old);
  EXPECT_THAT(box.read("BENCH--big/run=0.json"), HasSubstr("\"x\": 3"));
  EXPECT_THAT(box.read("summary.csv"), Not(HasSubstr("2.5")));
}

TEST(experiment, makes_the_runs_of_a_new_combination_only) {
  grid_box box;
  static_cast<void>(box.carry_out());
  box.plan.bench_items = experiment_box::items(
      R"({"small": {"x": 1}, "big": {"x": 2.5, "y": true}, "new": {"x": 9}})");
  const std::string printed = box.resume();
  EXPECT_EQ(times(begun, printed), 6U);
  EXPECT_EQ(times(skipped, printed), 4U);
  EXPECT_THAT(box.last.runs, SizeIs(6));
}

TEST(experiment, makes_only_the_additional_runs_of_a_larger_number) {
  grid_box box;
  static_cast<void>(box.carry_out());
  box.plan.num_runs = 3;
  EXPECT_EQ(times(skipped, box.resume()), 4U);
  EXPECT_THAT(box.last.runs, SizeIs(6));
  EXPECT_TRUE(box.has("BENCH--big/run=2.json"));
}

TEST(experiment, leaves_the_runs_above_a_smaller_number_out_of_the_summaries_and_says_so) {
  grid_box box;
  static_cast<void>(box.carry_out());
  box.plan.num_runs = 1;
  EXPECT_EQ(times("There are more runs than 1, such as RESULTS/trip/BENCH--small/run=1.json: their "
                  "files stay, and the summaries leave them out.\n",
                  box.resume()),
            1U);
  EXPECT_THAT(box.last.runs, SizeIs(2));
  EXPECT_TRUE(box.has("BENCH--big/run=1.json"));
}

TEST(experiment, is_not_complete_if_a_run_completed_no_request) {
  grid_box box;
  box.plan.bench_command = {"sh", "-c", R"(echo '{"completed": 0, "failed": 5}' >"$4/$6")"};
  box.plan.bench_items = {sweep::item()};
  EXPECT_EQ(times("[NO COMPLETED REQUESTS] RESULTS/trip/run=", box.carry_out()), 2U);
  EXPECT_TRUE(box.last.all_made);
  EXPECT_FALSE(box.last.all_completed);
  static_cast<void>(box.resume());
  EXPECT_FALSE(box.last.all_completed);
}

TEST(experiment, warns_of_an_item_that_is_there_twice) {
  experiment_box box;
  box.plan.bench_items = experiment_box::items(R"([{"x": 1}, {"x": 1}])");
  testing::internal::CaptureStderr();
  static_cast<void>(box.carry_out());
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("Warning: items.json:1:12: the combination {'x': 1} is the same as that in "
                        "line 1; "));
  EXPECT_THAT(box.last.runs, SizeIs(4));
}

TEST(experiment, has_the_same_results_in_every_order) {
  grid_box box;
  static_cast<void>(box.carry_out());
  for (const auto order : {sweep::plan::order::shuffled, sweep::plan::order::abba}) {
    grid_box other;
    other.plan.in_order = order;
    static_cast<void>(other.carry_out());
    EXPECT_EQ(other.results(), box.results());
  }
}

TEST(experiment, leaves_out_combinations_without_a_word) {
  grid_box box;
  box.plan.excludes = experiment_box::items(R"([{"x": 1}])");
  const std::string printed = box.carry_out();
  EXPECT_EQ(times(begun, printed), 2U);
  EXPECT_THAT(printed, Not(HasSubstr("small")));
  EXPECT_FALSE(box.has("BENCH--small"));
}

TEST(experiment, says_that_nothing_ran_if_there_is_no_combination) {
  experiment_box box;
  box.plan.bench_items.clear();
  EXPECT_EQ(box.carry_out(), "No run has a result, so there is no summary.csv.\n");
  EXPECT_TRUE(box.last.all_made);
  EXPECT_FALSE(box.has(""));
}

TEST(experiment, ends_with_the_first_failed_benchmark) {
  grid_box box;
  box.plan.bench_command = {"sh", "-c", "echo no memory; exit 7"};
  EXPECT_EQ(message_of(box),
            "the sweep was terminated early: the benchmark sh ended with exit status 7; --resume "
            "--experiment-name trip continues from the last finished run");
  EXPECT_FALSE(box.has(".part"));
  EXPECT_FALSE(box.has("BENCH--small/run=0.json"));
}

TEST(experiment, describes_failures_and_goes_on_if_it_is_told_to) {
  grid_box box;
  box.plan.continue_on_error = true;
  box.plan.bench_command = {"sh", "-c", "echo no memory; exit 7"};
  support::expect_golden(box.carry_out(), experiment_golden("failures.txt"));
  support::expect_golden(box.read("BENCH--big/run=1.failure.json"),
                         experiment_golden("run.failure.json"));
  EXPECT_FALSE(box.last.all_made);
  EXPECT_FALSE(box.has("BENCH--big/summary.json"));

  box.plan.bench_command = grid_box().plan.bench_command;
  static_cast<void>(box.resume());
  EXPECT_TRUE(box.last.all_made);
  EXPECT_FALSE(box.has("BENCH--big/run=1.failure.json"));
  grid_box undisturbed;
  static_cast<void>(undisturbed.carry_out());
  EXPECT_EQ(box.results(), undisturbed.results());
}

TEST(experiment, goes_on_with_the_next_server_if_one_does_not_start) {
  grid_box box;
  box.plan.serve_command = {"sh", "-c", "echo no GPU for $2 >&2; exit 3", "--port", "1"};
  box.plan.serve_items = experiment_box::items(R"([{"a": 1}, {"a": 2}])");
  box.plan.after_bench = {"true"};
  const std::string printed = box.carry_out();
  EXPECT_EQ(times("[BEGIN SERVER]", printed), 2U);
  EXPECT_EQ(times("[END SERVER]", printed), 2U);
  EXPECT_THAT(printed, AllOf(HasSubstr("[FAILED SERVER COMBINATION] a=1: "),
                             HasSubstr("[FAILED SERVER COMBINATION] a=2: "), HasSubstr("no GPU"),
                             HasSubstr("Failure details: RESULTS/trip/SERVE-a=1-failure.json\n")));
  EXPECT_THAT(box.read("SERVE-a=2-failure.json"),
              AllOf(HasSubstr("no GPU"), HasSubstr("\"error_type\": \"RuntimeError\"")));
  EXPECT_THAT(printed, Not(HasSubstr(begun)));
  EXPECT_FALSE(box.last.all_made);
}

TEST(experiment, keeps_the_results_that_a_failed_server_has) {
  grid_box box;
  box.plan.serve_items = experiment_box::items(R"([{"a": 1}])");
  static_cast<void>(box.carry_out());
  const auto before = box.results();
  std::filesystem::remove(box.file("SERVE--a=1-BENCH--big/run=1.json"));
  box.plan.serve_command = {"sh", "-c", "exit 3", "--port", "1"};
  box.plan.after_bench = {"true"};
  static_cast<void>(box.resume());
  EXPECT_THAT(box.last.runs, SizeIs(3));
  EXPECT_EQ(box.read("SERVE--a=1-BENCH--small/summary.json"),
            before.at("SERVE--a=1-BENCH--small/summary.json"));
}

TEST(experiment, warms_up_each_combination_with_its_own_number_of_prompts) {
  grid_box box;
  box.plan.warmup_prompts = 4;
  const std::string printed = box.carry_out();
  EXPECT_EQ(times("Run Number: -1\n", printed), 2U);
  EXPECT_EQ(times("--num-prompts', '4'", printed), 2U);
  EXPECT_THAT(box.read("BENCH--big/warmup.json"),
              AllOf(HasSubstr("\"run_number\": -1"), HasSubstr("\"num_prompts\": 4")));
  EXPECT_THAT(box.read("summary.csv"), Not(HasSubstr("num_prompts")));
  EXPECT_THAT(box.last.runs, SizeIs(4));
  EXPECT_THAT(box.resume(), Not(HasSubstr("Run Number: -1")));
}

TEST(experiment, runs_the_command_after_each_benchmark) {
  grid_box box;
  const std::string log = box.folder.path("log");
  box.plan.after_bench = {"sh", "-c", "echo after >>" + box.folder.quoted("log")};
  static_cast<void>(box.carry_out());
  EXPECT_EQ(base::read_file(log), "after\nafter\nafter\nafter\n");
}

TEST(experiment, ends_if_the_command_after_a_benchmark_fails_and_keeps_the_result) {
  grid_box box;
  box.plan.after_bench = {"false"};
  EXPECT_THAT(message_of(box),
              HasSubstr("the command after the benchmark ended with exit status 1"));
  EXPECT_TRUE(box.has("BENCH--small/run=0.json"));
}

TEST(experiment, refuses_a_folder_that_is_there_and_to_resume_what_is_not_there) {
  grid_box box;
  box.plan.resume = true;
  EXPECT_THAT(message_of(box), HasSubstr("there is no experiment RESULTS/trip to resume"));
  box.plan.resume = false;
  static_cast<void>(box.carry_out());
  EXPECT_THAT(message_of(box), HasSubstr("RESULTS/trip is there already"));
  box.plan.dry_run = true;
  EXPECT_THAT(message_of(box), HasSubstr("RESULTS/trip is there already"));
}

TEST(experiment, refuses_a_folder_in_which_another_sweep_works) {
  grid_box box;
  static_cast<void>(box.carry_out());
  const sweep_lock other(box.file(".lock"));
  box.plan.resume = true;
  EXPECT_THAT(message_of(box),
              AllOf(HasSubstr("another sweep (process "), HasSubstr(" works in RESULTS/trip")));
}

TEST(experiment, ends_before_the_next_run_when_the_user_interrupts) {
  grid_box box;
  box.stop = true;
  static_cast<void>(box.carry_out());
  EXPECT_TRUE(box.last.interrupted);
  EXPECT_THAT(box.last.runs, IsEmpty());
  box.stop = false;
  static_cast<void>(box.resume());
  EXPECT_FALSE(box.last.interrupted);
  EXPECT_THAT(box.last.runs, SizeIs(4));
}

TEST(experiment, starts_nothing_if_a_program_is_not_there) {
  grid_box box;
  box.plan.continue_on_error = true;
  box.plan.serve_command = {"sh", "-c", "touch " + box.folder.quoted("begun")};
  box.plan.after_bench = {"true"};
  box.plan.bench_command = {"there-is-no-such-program"};
  EXPECT_EQ(message_of(box),
            "--bench-cmd: the program there-is-no-such-program is not in $PATH; correct its name, "
            "or write its path");
  box.plan.bench_command = {"true"};
  box.plan.after_bench = {"/no/such/program"};
  EXPECT_THAT(message_of(box), StartsWith("--after-bench-cmd: the program /no/such/program is "));
  box.plan.after_bench.reset();
  box.plan.serve_command = {"vlllm", "serve"};
  EXPECT_THAT(message_of(box), StartsWith("--serve-cmd: the program vlllm is not in $PATH"));
  EXPECT_FALSE(box.has(""));
  EXPECT_FALSE(std::filesystem::exists(box.folder.path("begun")));
}

TEST(experiment, needs_no_program_if_all_runs_have_results) {
  grid_box box;
  static_cast<void>(box.carry_out());
  box.plan.bench_command = {"there-is-no-such-program"};
  EXPECT_EQ(times(skipped, box.resume()), 4U);
}

TEST(experiment, is_resumed_only_if_its_folder_is_there) {
  grid_box box;
  EXPECT_EQ(resume_hint(box.plan), "no run has begun, so start the sweep again");
  static_cast<void>(box.carry_out());
  EXPECT_EQ(resume_hint(box.plan),
            "--resume --experiment-name trip continues from the last finished run");
}

}  // namespace
}  // namespace inferbench::experiment
