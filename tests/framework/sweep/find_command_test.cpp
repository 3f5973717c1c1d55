#include "sweep/find_command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/sweep/items.hpp"

namespace inferbench::sweep {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

TEST(find_command, serve_becomes_find_with_the_limits_at_the_end) {
  const find_flags limits{"--between", "1", "9"};
  EXPECT_THAT(as_find({"/opt/inferbench", "serve", "--model", "serve"}, limits),
              ElementsAre("/opt/inferbench", "find", "--model", "serve", "--between", "1", "9"));
  EXPECT_THAT(as_find({"inferbench", "bench", "serve"}, limits),
              ElementsAre("inferbench", "find", "--between", "1", "9"));
}

TEST(find_command, another_benchmark_is_refused_with_the_remedy) {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"vllm", "bench", "serve"},
                                             {"inferbench"},
                                             {"inferbench", "run", "serve"},
                                             {"inferbench", "bench"},
                                             {"inferbench", "--x", "serve"},
                                             {"sh", "serve"}})
    EXPECT_THAT(complaint_of([&] { return as_find(words, {}); }),
                AllOf(StartsWith("--bench-cmd: the certified search"),
                      HasSubstr("not " + words.front()), HasSubstr("--sla-search spline")));
}

TEST(find_command, criteria_are_goals_with_all_digits_of_their_limits) {
  plan what;
  what.bench_command = {"inferbench", "find", "--between", "1", "9"};
  const sla_set set =
      parse_sla_sets(R"([{"p99_ttft_ms": "<=0.12345", "request_throughput": "> 5"}])", "s.json")
          .front();
  const auto words = find_command(what, made_item(R"({"_benchmark_name": "n", "x": 1})"), set,
                                  "results/e/BENCH--n", "results/e/.part/BENCH--n/SLA.json");
  EXPECT_THAT(words,
              ElementsAre("inferbench", "find", "--between", "1", "9", "--x", "1", "--goal",
                          "p99_ttft_ms<=0.12345", "--goal", "request_throughput>5", "--result-dir",
                          "results/e/BENCH--n", "--json", "results/e/.part/BENCH--n/SLA.json"));
  EXPECT_EQ(find_arguments(words).front(), "--between");
  EXPECT_EQ(find_arguments(words).size() + 2, words.size());
}

TEST(find_command, the_folder_of_the_journals_may_be_the_current_folder) {
  plan what;
  what.bench_command = {"inferbench", "find"};
  const sla_set set = parse_sla_sets(R"([{"failed": "<1"}])", "s.json").front();
  EXPECT_THAT(find_command(what, item(), set, "", "SLA.json"),
              ElementsAre("inferbench", "find", "--goal", "failed<1", "--result-dir", ".", "--json",
                          "SLA.json"));
}

}  // namespace
}  // namespace inferbench::sweep
