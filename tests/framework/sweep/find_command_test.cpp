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

TEST(find_command, reporters_get_the_runs_of_the_search) {
  plan what;
  what.bench_command = {"inferbench", "find"};
  what.reporters = {"html", "csv=a b.csv"};
  const sla_set set = parse_sla_sets(R"([{"failed": "<1"}])", "s.json").front();
  EXPECT_THAT(find_command(what, item(), set, "e", "SLA.json"),
              ElementsAre("inferbench", "find", "--goal", "failed<1", "--reporter", "html",
                          "--reporter", "csv=a b.csv", "--result-dir", "e", "--json", "SLA.json"));
}

/// A certified plan with this number of servers, benchmarks and sets of criteria.
plan searching(std::size_t servers, std::size_t benches, std::size_t sets) {
  plan out;
  out.serve_items.resize(servers);
  out.bench_items.resize(benches);
  out.sla_sets.resize(sets);
  return out;
}

TEST(find_command, each_combination_has_a_search_for_each_set_of_criteria) {
  EXPECT_EQ(searches_of(searching(1, 1, 1)), 1U);
  EXPECT_EQ(searches_of(searching(2, 3, 4)), 24U);
  EXPECT_EQ(searches_of(searching(0, 3, 4)), 0U);
}

TEST(find_command, several_searches_do_not_write_one_file) {
  const std::vector<std::string> reporters{"html", "csv=a\n.csv"};
  const auto said = [&](const plan& what) {
    return complaint_of([&] { require_own_tables(reporters, what, "--reporter"); });
  };
  EXPECT_NO_THROW(require_own_tables(reporters, searching(1, 1, 1), "--reporter"));
  for (const plan& what : {searching(2, 1, 1), searching(1, 2, 1), searching(1, 1, 2)})
    EXPECT_EQ(said(what),
              "--reporter: csv=a .csv names one file, and each of the 2 searches has a table of "
              "its own; leave out =a .csv: each search then writes into its folder");
  EXPECT_NO_THROW(require_own_tables(std::vector<std::string>{"html", "csv"}, searching(2, 2, 2),
                                     "--reporter"));
}

TEST(find_command, a_table_that_nobody_sees_is_refused) {
  const std::vector<std::string> reporters{"markdown=-"};
  plan what = searching(2, 2, 1);
  EXPECT_THAT(complaint_of([&] { require_own_tables(reporters, what, "--bench-cmd"); }),
              AllOf(StartsWith("--bench-cmd: markdown=- prints, and the sweep drops"),
                    HasSubstr("add --show-stdout")));
  what.show_stdout = true;
  EXPECT_NO_THROW(require_own_tables(reporters, what, "--bench-cmd"));
}

}  // namespace
}  // namespace inferbench::sweep
