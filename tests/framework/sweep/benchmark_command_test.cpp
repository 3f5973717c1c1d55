#include "sweep/benchmark_command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/sweep/items.hpp"

namespace inferbench::sweep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

plan benchmark_of(std::vector<std::string> command, std::string reporter = {}) {
  plan out;
  out.bench_command = std::move(command);
  out.result_reporter = std::move(reporter);
  return out;
}

TEST(benchmark_command, the_parameters_come_before_the_place_of_the_result) {
  EXPECT_THAT(
      benchmark_command(benchmark_of({"vllm", "bench", "serve", "--num-prompts", "10"}),
                        made_item(R"({"_benchmark_name": "b", "num_prompts": 20, "x": true})"),
                        "results/x/BENCH--b/run=0.json"),
      ElementsAre("vllm", "bench", "serve", "--num-prompts", "20", "--x", "--percentile-metrics",
                  "ttft,tpot,itl,e2el", "--save-result", "--result-dir", "results/x/BENCH--b",
                  "--result-filename", "run=0.json"));
}

TEST(benchmark_command, the_parameters_can_be_had_without_the_place_of_the_result) {
  EXPECT_THAT(with_parameters(benchmark_of({"b", "--x", "1"}), made_item(R"({"x": 2})")),
              ElementsAre("b", "--x", "2"));
  EXPECT_THAT(
      with_parameters(benchmark_of({"inferbench", "run"}, "json"), made_item(R"({"a.x": 2})")),
      ElementsAre("inferbench", "run", "--set", "a.x=2"));
}

TEST(benchmark_command, a_flag_of_the_command_that_is_given_again_stays_before_ours) {
  const auto words =
      benchmark_command(benchmark_of({"b", "--result-dir", "elsewhere"}), item(), "run=1.json");
  EXPECT_THAT(words, ElementsAre("b", "--result-dir", "elsewhere", "--percentile-metrics",
                                 "ttft,tpot,itl,e2el", "--save-result", "--result-dir", ".",
                                 "--result-filename", "run=1.json"));
}

TEST(benchmark_command, the_parameters_of_inferbench_run_are_settings) {
  EXPECT_THAT(
      benchmark_command(
          benchmark_of({"inferbench", "run", "a.toml"}, "vllm_json"),
          made_item(R"({"_benchmark_name": "b", "load.rate": 2.5, "load.name": "x y", "a.b": true,
                        "a.l": [1, "x"], "a.t": {"k": 1}, "a.i": Infinity,
                        "a.n": 12345678901234567890123})"),
          "/r/run=0.json"),
      ElementsAre("inferbench", "run", "a.toml", "--set", "load.rate=2.5", "--set", "load.name=x y",
                  "--set", "a.b=true", "--set", R"(a.l=[1, "x"])", "--set", R"(a.t={"k": 1})",
                  "--set", "a.i=inf", "--set", "a.n=12345678901234567890123", "--reporter",
                  "vllm_json=/r/run=0.json"));
}

TEST(benchmark_command, the_result_of_inferbench_run_has_an_absolute_path) {
  const auto words = benchmark_command(benchmark_of({"inferbench", "run"}, "json"), item(),
                                       "results/../out/run=0.json");
  const std::string& last = words.back();
  EXPECT_EQ(last, "json=" + (std::filesystem::current_path() / "out/run=0.json").string());
}

TEST(benchmark_command, a_value_that_json_does_not_have_is_refused_within_a_list) {
  EXPECT_THAT(complaint_of([] {
                return benchmark_command(benchmark_of({"inferbench", "run"}, "json"),
                                         made_item(R"({"a.b": [NaN]})"), "/r/run=0.json");
              }),
              HasSubstr("JSON has no nan"));
}

TEST(benchmark_command, the_warm_up_has_another_number_of_requests) {
  EXPECT_EQ(
      with_num_prompts(benchmark_of({"b"}), made_item(R"({"num_prompts": 100, "x": 1})"), 5).text(),
      "num_prompts=5, x=1");
  plan of_files = benchmark_of({"b"}, "json");
  of_files.prompts_key = "dataset.num-prompts";
  EXPECT_EQ(with_num_prompts(of_files, made_item(R"({"x": 1})"), 5).text(),
            "x=1, dataset.num-prompts=5");
  const item both = with_num_prompts(benchmark_of({"b"}), made_item(R"({"num-prompts": 100})"), 5);
  const auto command = benchmark_command(benchmark_of({"b"}), both, "run=0.json");
  EXPECT_THAT(command, testing::IsSupersetOf({"--num-prompts", "5"}));
  EXPECT_THAT(command, testing::Not(testing::Contains("100")));
}

TEST(benchmark_command, a_benchmark_of_a_server_does_not_get_the_servers_parameters) {
  const plan what = benchmark_of({"b"});
  EXPECT_EQ(
      benchmark_command(what, made_item(R"({"x": 1})"), made_item(R"({"y": 2})"), "run=0.json"),
      benchmark_command(what, made_item(R"({"y": 2})"), "run=0.json"));
  EXPECT_THAT(with_parameters(what, made_item(R"({"x": 1})"), made_item(R"({"y": 2})")),
              ElementsAre("b", "--y", "2"));
}

plan startup_of(std::vector<std::string> command) {
  plan out = benchmark_of(std::move(command));
  out.does = kind::startup;
  return out;
}

TEST(benchmark_command, a_start_up_benchmark_gets_both_items_and_the_file_of_its_result) {
  EXPECT_THAT(
      benchmark_command(startup_of({"vllm", "bench", "startup", "--model", "m"}),
                        made_item(R"({"_benchmark_name": "s", "max_num_seqs": 16, "x": false})"),
                        made_item(R"({"max_num_seqs": 32, "x": true, "num_iters_cold": 1})"),
                        "results/e/SERVE--s/run=0.json"),
      ElementsAre("vllm", "bench", "startup", "--model", "m", "--max-num-seqs", "32", "--no-x",
                  "--x", "--num-iters-cold", "1", "--output-json",
                  "results/e/SERVE--s/run=0.json"));
}

TEST(benchmark_command, flags_for_another_result_file_are_removed_with_their_values) {
  EXPECT_THAT(benchmark_command(startup_of({"s", "--output-json", "a.json", "--output_json=b.json",
                                            "--x", "--output-json=c", "--output-json-indent", "2"}),
                                item(), made_item(R"({"output_json": "d.json"})"), "run=0.json"),
              ElementsAre("s", "--x", "--output-json-indent", "2", "--output-json", "run=0.json"));
  EXPECT_THAT(
      benchmark_command(startup_of({"s", "--x", "--output_json"}), item(), item(), "r.json"),
      ElementsAre("s", "--x", "--output-json", "r.json"));
}

}  // namespace
}  // namespace inferbench::sweep
