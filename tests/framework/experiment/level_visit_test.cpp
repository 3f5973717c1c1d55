#include "experiment/level_visit.hpp"

#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "experiment/experiment_texts.hpp"
#include "experiment_box.hpp"
#include "support/golden.hpp"
#include "sweep/sla_criteria.hpp"

namespace inferbench::experiment {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

std::string level_golden(const std::string& name) {
  return std::string(INFERBENCH_FIXTURES) + "/experiment/" + name;
}

/// The lines without the parts that other tests show.
std::string levels_in(const std::string& printed) {
  std::string out;
  for (const std::string_view line : base::split(printed, '\n'))
    if (!line.starts_with("Benchmark ") && !line.starts_with("[BEGIN B") && !line.empty())
      out += std::string(line) + "\n";
  return out;
}

class workload_box : public experiment_box {
 public:
  workload_box() {
    plan.does = sweep::kind::workload;
    plan.workload_iters = 4;
    plan.num_runs = 1;
  }
};

class sla_box : public experiment_box {
 public:
  explicit sla_box(const std::string& sets = R"([{"p99_ttft_ms": "<=57.5"}])") {
    plan.does = sweep::kind::sla;
    plan.num_runs = 1;
    plan.sla_sets = sweep::parse_sla_sets(sets, "sla.json");
    plan.bench_items = items(R"({"b": {"x": 1}})");
  }
};

TEST(level_visit, explores_loads_in_folders_of_their_own) {
  workload_box box;
  support::expect_golden(levels_in(box.carry_out()), level_golden("workload.txt"));
  support::expect_golden(box.read("summary.csv"), level_golden("workload.csv"));
  EXPECT_TRUE(box.has("BENCH--max_concurrency=1-WL--request_rate=1/summary.json"));
  EXPECT_TRUE(box.has("WL--request_rate=7/summary.json"));
}

TEST(level_visit, of_a_finished_exploration_needs_no_server) {
  workload_box box;
  static_cast<void>(box.carry_out());
  const auto before = box.results();
  box.plan.serve_command = {"false", "--port", "1"};
  box.plan.after_bench = {"true"};
  EXPECT_THAT(box.resume(), Not(HasSubstr("[BEGIN SERVER]")));
  EXPECT_EQ(box.results(), before);
  EXPECT_TRUE(box.last.all_made);
}

TEST(level_visit, runs_only_the_level_that_is_missing) {
  workload_box box;
  static_cast<void>(box.carry_out());
  const auto before = box.results();
  std::filesystem::remove_all(box.file("WL--request_rate=7"));
  const std::string printed = box.resume();
  EXPECT_EQ(times("[END BENCHMARK]", printed), 1U);
  EXPECT_EQ(box.results(), before);
}

TEST(level_visit, stops_after_the_first_level_in_a_dry_run) {
  workload_box box;
  box.plan.dry_run = true;
  const std::string printed = box.carry_out();
  EXPECT_EQ(times("[BEGIN BENCHMARK]", printed), 2U);
  EXPECT_THAT(printed, HasSubstr("Omitting intermediate"));
  sla_box other;
  other.plan.dry_run = true;
  EXPECT_THAT(other.carry_out(), HasSubstr("Omitting SLA search.\n[SLA END]\n"));
  EXPECT_FALSE(other.has(""));
}

TEST(level_visit, checks_a_link_to_the_variable_at_each_level) {
  workload_box box;
  box.plan.serve_items = experiment_box::items(R"([{"rate": 1}])");
  box.plan.links = {{"rate", "request_rate"}};
  const std::string printed = box.carry_out();
  EXPECT_EQ(times("[BEGIN BENCHMARK]", printed), 1U);
  EXPECT_THAT(box.last.runs, IsEmpty());
  box.plan.experiment = "other";
  box.plan.links = {{"rate", "x"}};
  EXPECT_THAT(box.carry_out(), Not(HasSubstr("[WL START]")));
}

TEST(level_visit, searches_the_largest_load_with_a_folder_for_each_level) {
  sla_box box(R"([{"p99_ttft_ms": "<=57.5"}, {"p99_ttft_ms": "<60"}])");
  support::expect_golden(levels_in(box.carry_out()), level_golden("sla_spline.txt"));
  support::expect_golden(box.read("BENCH--b/SLA--p99_ttft_ms<=57.50.json"),
                         level_golden("sla_result.json"));
  EXPECT_TRUE(box.has("BENCH--b/request_rate=8192/run=0.json"));
}

TEST(level_visit, searches_by_doubling_and_halving) {
  sla_box box;
  box.plan.search = sweep::sla_search::binary;
  support::expect_golden(levels_in(box.carry_out()), level_golden("sla_binary.txt"));
}

TEST(level_visit, repeats_no_level_of_an_interrupted_search) {
  for (const auto search : {sweep::sla_search::spline, sweep::sla_search::binary}) {
    sla_box box(R"([{"p99_ttft_ms": "<=57.5"}, {"p99_ttft_ms": "<60"}])");
    box.plan.search = search;
    static_cast<void>(box.carry_out());
    const auto before = box.results();
    // As after a kill during the second search.
    std::filesystem::remove(box.file("summary.csv"));
    std::filesystem::remove(box.file("BENCH--b/SLA--p99_ttft_ms<60.00.json"));
    std::filesystem::remove_all(box.file("BENCH--b/request_rate=59"));
    const std::string printed = box.resume();
    EXPECT_EQ(box.results(), before);
    EXPECT_LE(times("[END BENCHMARK]", printed), 1U);
  }
}

TEST(level_visit, runs_a_search_again_whose_parameters_have_changed) {
  sla_box box;
  static_cast<void>(box.carry_out());
  box.plan.bench_items = experiment_box::items(R"({"b": {"x": 2}})");
  EXPECT_THAT(box.resume(), Not(HasSubstr("[SKIPPED BENCHMARK]")));
  sla_box undisturbed;
  undisturbed.plan.bench_items = box.plan.bench_items;
  static_cast<void>(undisturbed.carry_out());
  EXPECT_EQ(box.results(), undisturbed.results());
}

TEST(level_visit, of_a_search_without_a_usable_level_is_a_failed_combination) {
  sla_box box;
  box.plan.bench_command = {"false"};
  box.plan.continue_on_error = true;
  EXPECT_THAT(box.carry_out(), HasSubstr("[FAILED BENCHMARK COMBINATION] "));
  EXPECT_FALSE(box.last.all_made);
  EXPECT_THAT(box.last.runs, SizeIs(0));
}

TEST(level_visit, of_a_search_whose_levels_complete_no_request_is_not_complete) {
  for (const bool alive : {false, true}) {
    sla_box box;
    box.plan.bench_items = {sweep::item()};
    // The arguments are --request-rate LEVEL and the flags for the result.
    box.plan.bench_command = {"sh", "-c",
                              R"([ "$1" -le )" + std::string(alive ? "100" : "0") +
                                  R"( ] && n=5; printf '{"p99_ttft_ms": %d, "completed": %d}')"
                                  R"( "$1" "${n:-0}" >"$6/$8")"};
    EXPECT_THAT(box.carry_out(), HasSubstr(alive ? "Maximum request_rate for SLA: 57 req/s."
                                                 : "No value satisfies the SLA: request_rate=1 "));
    EXPECT_EQ(box.last.all_completed, alive);
  }
}

/// A certified search whose `inferbench find` is a script that writes a result.
class certified_box : public sla_box {
 public:
  certified_box() : sla_box(R"([{"p99_ttft_ms": "<=57.5"}, {"failed": "<1"}])") {
    plan.search = sweep::sla_search::certified;
    // The arguments end with --goal GOAL --result-dir FOLDER --json FILE.
    plan.bench_command = {"sh", "-c",
                          R"(while [ $# -gt 6 ]; do shift; done; mkdir -p "$4/find-1"; )"
                          R"(printf '{"limit": 12, "conclusion": ["The limit is 12.", "of %s"]}' )"
                          R"("$2" >"$6"; exit 0)",
                          "find"};
  }
};

TEST(level_visit, of_a_certified_search_is_one_command_for_each_set_of_criteria) {
  certified_box box;
  support::expect_golden(box.carry_out(), level_golden("sla_certified.txt"));
  support::expect_golden(box.read("BENCH--b/SLA--p99_ttft_ms<=57.50.json"),
                         level_golden("sla_certified.json"));
  support::expect_golden(box.read("summary.csv"), level_golden("sla_certified.csv"));
  EXPECT_TRUE(box.has("BENCH--b/SLA--failed<1.00.json"));
  EXPECT_TRUE(box.has("BENCH--b/summary.json"));
  EXPECT_TRUE(box.has("BENCH--b/find-1"));
  EXPECT_FALSE(box.has("BENCH--b/run=0.json"));
  EXPECT_THAT(box.last.runs, SizeIs(2));
  EXPECT_TRUE(box.last.all_made);
}

TEST(level_visit, of_a_finished_certified_search_needs_no_server) {
  certified_box box;
  static_cast<void>(box.carry_out());
  const auto before = box.results();
  box.plan.serve_command = {"false", "--port", "1"};
  box.plan.after_bench = {"true"};
  const std::string printed = box.resume();
  EXPECT_THAT(printed, Not(HasSubstr("[BEGIN SERVER]")));
  EXPECT_EQ(times("[SKIPPED BENCHMARK]", printed), 2U);
  EXPECT_EQ(times("\nThe limit is 12.\n", printed), 2U);
  EXPECT_EQ(box.results(), before);
}

TEST(level_visit, makes_only_the_certified_search_that_is_missing) {
  certified_box box;
  static_cast<void>(box.carry_out());
  const auto before = box.results();
  std::filesystem::remove(box.file("BENCH--b/SLA--failed<1.00.json"));
  std::filesystem::remove(box.file("BENCH--b/summary.json"));
  const std::string printed = box.resume();
  EXPECT_EQ(times("[SKIPPED BENCHMARK]", printed), 1U);
  EXPECT_EQ(times("[END BENCHMARK]", printed), 1U);
  EXPECT_EQ(box.results(), before);
}

TEST(level_visit, gives_reporters_to_each_certified_search_and_says_when_one_was_finished) {
  certified_box box;
  box.plan.bench_command[2] =
      R"(while [ $# -gt 8 ]; do shift; done; )"
      R"(printf '{"limit": 12, "probes": [{"journal": "a b/find-1/probe-01.journal"}], )"
      R"("got": "%s"}' "$3 $4" >"$8"; exit 0)";
  box.plan.reporters = {"html"};
  EXPECT_THAT(box.carry_out(), Not(HasSubstr("was finished before")));
  EXPECT_THAT(box.read("BENCH--b/SLA--failed<1.00.json"), HasSubstr(R"("got": "--reporter html")"));
  const std::string again =
      "The search was finished before, so the reporters get no runs of it: inferbench report "
      "'a b/find-1'/*.journal --reporter NAME shows them.\n";
  EXPECT_EQ(times(again, box.resume()), 2U);
  box.plan.reporters.clear();
  EXPECT_THAT(box.resume(), Not(HasSubstr("was finished before")));
}

TEST(level_visit, shows_all_certified_searches_in_a_dry_run) {
  certified_box box;
  box.plan.dry_run = true;
  const std::string printed = box.carry_out();
  EXPECT_EQ(times("[BEGIN BENCHMARK]", printed), 2U);
  EXPECT_EQ(times("[SLA END]", printed), 2U);
  EXPECT_THAT(dry_run_text(box.plan, 1), HasSubstr("1 combination, one search for each set of"));
  EXPECT_FALSE(box.has(""));
}

TEST(level_visit, of_a_certified_search_that_fails_is_a_failed_run) {
  certified_box box;
  box.plan.bench_command = {"sh", "-c", "exit 1"};
  box.plan.continue_on_error = true;
  EXPECT_THAT(box.carry_out(), HasSubstr("[FAILED BENCHMARK] run=0: CalledProcessError: "));
  EXPECT_FALSE(box.last.all_made);
  EXPECT_TRUE(box.has("BENCH--b/SLA--failed<1.00.failure.json"));
  EXPECT_FALSE(box.has("BENCH--b/summary.json"));
}

TEST(level_visit, refuses_a_criterion_that_is_no_goal_before_anything_starts) {
  certified_box box;
  box.plan.sla_sets = sweep::parse_sla_sets(R"([{"no_such_figure": "<1"}])", "sla.json");
  EXPECT_THROW(static_cast<void>(box.carry_out()), base::error);
  EXPECT_FALSE(box.has(""));
}

}  // namespace
}  // namespace inferbench::experiment
