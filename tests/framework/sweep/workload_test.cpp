#include "sweep/workload.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "framework/sweep/levels.hpp"
#include "pytext/python_json.hpp"
#include "support/golden.hpp"
#include "sweep/layout.hpp"

namespace inferbench::sweep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

item item_of(const std::string& json) { return item(pytext::read_json_node(json, "bench.json")); }

std::string size_complaint(const std::string& bench, const std::vector<std::string>& command) {
  try {
    (void)dataset_size(item_of(bench), command);
  } catch (const base::error& e) {
    return e.what();
  }
  return "accepted";
}

TEST(workload, the_data_set_has_1000_requests_if_nothing_says_otherwise) {
  EXPECT_EQ(dataset_size({}, {"vllm", "bench", "serve", "--num-prompts-other", "5"}), 1000);
}

TEST(workload, the_last_num_prompts_of_the_command_counts_in_any_spelling) {
  EXPECT_EQ(dataset_size({}, {"bench", "--num-prompts", "2", "--num-prompts", "4"}), 4);
  EXPECT_EQ(dataset_size({}, {"bench", "--num-prompts=2", "--num_prompts", "5"}), 5);
  EXPECT_EQ(dataset_size({}, {"bench", "--num_prompts", "5", "--num-prompts=7"}), 7);
  EXPECT_EQ(dataset_size({}, {"bench", "--num_prompts=6"}), 6);
  EXPECT_EQ(dataset_size({}, {"bench", "--num-prompts=6", "--num-prompts"}), 6);
}

TEST(workload, the_item_overrides_the_command) {
  const std::vector<std::string> command{"bench", "--num-prompts", "7"};
  EXPECT_EQ(dataset_size(item_of(R"({"num_prompts": 4})"), command), 4);
  EXPECT_EQ(dataset_size(item_of(R"({"num-prompts": 4})"), command), 4);
  EXPECT_EQ(dataset_size(item_of(R"({"num-prompts": 4, "num_prompts": 5})"), command), 5);
  EXPECT_EQ(dataset_size(item_of(R"({"num_prompts": "8"})"), command), 8);
  EXPECT_EQ(dataset_size(item_of(R"({"num_prompts": 9.0})"), command), 9);
}

TEST(workload, a_size_that_is_no_whole_number_above_0_is_refused) {
  for (const char* size : {"0", "-1", "2.5", "\"many\"", "null", "true", "[4]", "1e300"})
    EXPECT_THAT(size_complaint(R"({"num_prompts": )" + std::string(size) + "}", {"bench"}),
                testing::AllOf(testing::StartsWith("bench.json:1:"),
                               HasSubstr("whole number of at least 1")))
        << size;
  EXPECT_THAT(size_complaint("{}", {"bench", "--num-prompts", "x"}),
              HasSubstr("--bench-cmd: the number of prompts"));
}

TEST(workload, the_worked_example_of_upstream) {
  EXPECT_THAT(levels_between(1, 46, 10), ElementsAre(6, 11, 16, 21, 26, 31, 36, 41));
}

TEST(workload, two_levels_have_none_between_them) {
  EXPECT_THAT(levels_between(1, 46, 2), IsEmpty());
}

TEST(workload, points_are_rounded_half_to_even) {
  // 0.5 is below 1, 1.5 becomes 2, 2.5 becomes 2, 3.5 becomes 4.
  EXPECT_THAT(levels_between(0, 4, 9), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(levels_between(1, 4, 3), ElementsAre(2));
  EXPECT_THAT(levels_between(2, 5, 3), ElementsAre(4));
}

TEST(workload, levels_are_unique_and_at_least_1) {
  EXPECT_THAT(levels_between(3, 5, 10), ElementsAre(3, 4, 5));
  EXPECT_THAT(levels_between(1, 0, 10), ElementsAre(1));
  EXPECT_THAT(levels_between(0, 0, 10), ElementsAre(1));
}

TEST(workload, a_range_that_descends_gives_ascending_levels) {
  EXPECT_THAT(levels_between(10, 2, 5), ElementsAre(4, 6, 8));
}

/// A server that carries at most 46.7 requests/s; a request takes 1 s alone.
struct exploration {
  std::vector<run_object> explore(const item& serve, const item& bench) {
    return explore_workload(
        search, serve, bench, [this](const workload_level& level) { return run(level); },
        lines.tell());
  }

  level_runs run(const workload_level& level) {
    const std::string pieces[] = {"WL-", level_piece(search.variable, level.value)};
    const std::string folder = folder_name(shown, level.named, pieces);
    lines.ran(level.bench.text() + " in " + folder);
    folders.push_back(folder);
    const options::node* const limit = level.bench.find("max_concurrency");
    const double load = std::min<double>(
        46.7, static_cast<double>(limit == nullptr ? level.value : limit->integer));
    // Two repetitions with slightly different throughputs.
    const auto result = [&](double factor) {
      return R"({"value": )" + std::to_string(level.value) + R"(, "request_throughput": )" +
             std::to_string(load * factor) + R"(, "mean_e2el_ms": 1000})";
    };
    return made_of({result(0.99), result(1.01)});
  }

  std::vector<std::int64_t> values(const std::vector<run_object>& runs) {
    std::vector<std::int64_t> out;
    for (const run_object& run : runs)
      out.push_back(ifb::integer_of(ifb::find(*run, "value")));
    return out;
  }

  workload_search search{.variable = "request_rate", .iterations = 4, .dataset_size = 200};
  item shown;  // the serve item in names
  printed_lines lines;
  std::vector<std::string> folders;
};

TEST(workload, levels_between_serial_and_batch_are_explored) {
  exploration trial;
  trial.shown = item_of(R"({"max_num_seqs": 64})");
  const auto runs = trial.explore(trial.shown, item_of(R"({"random_input_len": 128})"));
  EXPECT_THAT(trial.values(runs), ElementsAre(1, 1, 16, 16, 31, 31, 200, 200));
  EXPECT_THAT(
      trial.folders,
      ElementsAre("SERVE--max_num_seqs=64-BENCH--random_input_len=128-max_concurrency=1-WL--"
                  "request_rate=1",
                  "SERVE--max_num_seqs=64-BENCH--random_input_len=128-max_concurrency=200-WL--"
                  "request_rate=200",
                  "SERVE--max_num_seqs=64-BENCH--random_input_len=128-WL--request_rate=16",
                  "SERVE--max_num_seqs=64-BENCH--random_input_len=128-WL--request_rate=31"));
  support::expect_golden(trial.lines.text, INFERBENCH_FIXTURES "/sweep/workload_rate.txt");
}

TEST(workload, the_variable_may_be_the_concurrency) {
  exploration trial;
  trial.search.variable = "max_concurrency";
  const auto runs = trial.explore({}, {});
  EXPECT_THAT(trial.values(runs), ElementsAre(1, 1, 16, 16, 31, 31, 200, 200));
  support::expect_golden(trial.lines.text, INFERBENCH_FIXTURES "/sweep/workload_concurrency.txt");
}

TEST(workload, a_name_hides_the_concurrency_of_the_end_levels) {
  exploration trial;
  (void)trial.explore({}, item_of(R"({"_benchmark_name": "chat", "random_input_len": 8})"));
  EXPECT_THAT(trial.folders,
              ElementsAre("BENCH--chat-WL--request_rate=1", "BENCH--chat-WL--request_rate=200",
                          "BENCH--chat-WL--request_rate=16", "BENCH--chat-WL--request_rate=31"));
}

TEST(workload, two_iterations_run_the_ends_only) {
  exploration trial;
  trial.search.iterations = 2;
  EXPECT_THAT(trial.values(trial.explore({}, {})), ElementsAre(1, 1, 200, 200));
}

TEST(workload, one_iteration_is_refused_before_anything_runs) {
  exploration trial;
  trial.search.iterations = 1;
  EXPECT_THROW((void)trial.explore({}, {}), base::error);
  EXPECT_EQ(trial.lines.text, "");
}

TEST(workload, a_dry_run_shows_the_end_levels) {
  exploration trial;
  const auto runs = explore_workload(
      trial.search, {}, {},
      [&](const workload_level& level) -> level_runs {
        trial.lines.ran(level.bench.text());
        return {};
      },
      trial.lines.tell());
  EXPECT_THAT(runs, IsEmpty());
  support::expect_golden(trial.lines.text, INFERBENCH_FIXTURES "/sweep/workload_dry.txt");
}

TEST(workload, a_combination_that_is_left_out_stops_silently) {
  exploration trial;
  int asked = 0;
  const auto runs = explore_workload(
      trial.search, {}, {},
      [&](const workload_level&) -> level_runs {
        ++asked;
        return {.made = false, .left_out = true, .runs = {}};
      },
      trial.lines.tell());
  EXPECT_THAT(runs, IsEmpty());
  EXPECT_EQ(asked, 1);
  EXPECT_THAT(trial.lines.text, testing::EndsWith("Dataset size: 200\n"));
}

TEST(workload, a_level_between_whose_runs_failed_is_left_out_of_the_result) {
  exploration trial;
  const auto runs = explore_workload(
      trial.search, {}, {},
      [&](const workload_level& level) {
        return level.value == 16 ? made_of({}) : trial.run(level);
      },
      trial.lines.tell());
  EXPECT_THAT(trial.values(runs), ElementsAre(1, 1, 31, 31, 200, 200));
}

TEST(workload, an_end_level_whose_runs_failed_is_an_error) {
  exploration trial;
  EXPECT_THROW((void)explore_workload(
                   trial.search, {}, {}, [](const workload_level&) { return made_of({}); },
                   trial.lines.tell()),
               base::error);
}

TEST(workload, a_server_that_carries_nothing_is_explored_at_level_1) {
  exploration trial;
  const auto runs = explore_workload(
      trial.search, {}, {},
      [&](const workload_level& level) {
        return made_of(
            {R"({"request_throughput": 0, "value": )" + std::to_string(level.value) + "}"});
      },
      trial.lines.tell());
  EXPECT_THAT(trial.values(runs), ElementsAre(1, 1, 200));
  EXPECT_EQ(trial.lines.count("Batch inference: request_rate=0"), 1U);
}

}  // namespace
}  // namespace inferbench::sweep
