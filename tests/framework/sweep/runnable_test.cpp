#include "sweep/runnable.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/sweep/items.hpp"
#include "sweep/layout.hpp"
#include "sweep/parameter_file.hpp"

namespace inferbench::sweep {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

plan product_of(const std::string& serve, const std::string& bench) {
  plan out;
  out.serve_command = {"vllm", "serve"};
  out.bench_command = {"vllm", "bench", "serve"};
  out.serve_items = parse_parameters(serve, "serve.json");
  out.bench_items = parse_parameters(bench, "bench.json");
  return out;
}

std::vector<std::string> folders_of(const plan& what) {
  std::vector<std::string> out;
  for (const item& serve : what.serve_items)
    for (const item& bench : what.bench_items)
      if (runs(what, serve, bench)) out.push_back(folder_name(serve, bench));
  return out;
}

std::string plan_complaint(const plan& what) {
  return complaint_of([&] {
    require_runnable(what);
    return 0;
  });
}

TEST(runnable, the_combinations_are_the_product_of_both_files) {
  EXPECT_THAT(folders_of(product_of(R"([{"s": 1}, {"s": 2}])", R"([{"b": 1}, {"b": 2}])")),
              ElementsAre("SERVE--s=1-BENCH--b=1", "SERVE--s=1-BENCH--b=2", "SERVE--s=2-BENCH--b=1",
                          "SERVE--s=2-BENCH--b=2"));
}

TEST(runnable, links_leave_combinations_out) {
  plan what =
      product_of(R"([{"s": 1}, {"s": 2.0}, {"s": "3"}])", R"([{"b": 1}, {"b": 2}, {"b": 3}])");
  what.links = parse_links("s=b");
  EXPECT_THAT(folders_of(what), ElementsAre("SERVE--s=1-BENCH--b=1", "SERVE--s=2.0-BENCH--b=2"));
}

TEST(runnable, an_exclude_leaves_out_what_has_all_its_values) {
  plan what = product_of(R"([{"s": 1}, {"s": 2}])", R"([{"b": 1}, {"b": 2}])");
  what.excludes = {made_item(R"({"s": 1.0, "b": 2})"), made_item(R"({"s": 2, "c": 1})")};
  EXPECT_THAT(folders_of(what), ElementsAre("SERVE--s=1-BENCH--b=1", "SERVE--s=2-BENCH--b=1",
                                            "SERVE--s=2-BENCH--b=2"));
}

TEST(runnable, an_exclude_without_values_leaves_nothing_out) {
  plan what = product_of("[{}]", R"([{"b": 1}])");
  what.excludes = {item()};
  EXPECT_THAT(folders_of(what), ElementsAre("BENCH--b=1"));
}

TEST(runnable, equal_combinations_share_a_folder) {
  EXPECT_EQ(plan_complaint(product_of(R"([{"s": 1}, {"s": 1}])", R"([{}, {}])")), "accepted");
  EXPECT_EQ(plan_complaint(product_of("[{}]", R"([{"b": NaN}, {"b": NaN}])")), "accepted");
}

TEST(runnable, different_combinations_with_one_folder_are_refused) {
  EXPECT_THAT(plan_complaint(product_of("[{}]", "[{\"b\": 1},\n {\"b\": \"1\"}]")),
              AllOf(StartsWith("bench.json:2:2: the combinations {'b': 1} and {'b': '1'} have the "
                               "same folder, BENCH--b=1"),
                    HasSubstr("_benchmark_name")));
  EXPECT_THAT(plan_complaint(product_of(R"([{"m": "a/b"}, {"m": "a_b"}])", "[{}]")),
              AllOf(StartsWith("serve.json:1:16: "), HasSubstr("SERVE--m=a_b")));
  EXPECT_THAT(plan_complaint(product_of("[{}]", R"([{"a": "1-b=2"}, {"a": 1, "b": 2}])")),
              HasSubstr("have the same folder"));
}

TEST(runnable, a_folder_that_is_left_out_is_not_compared) {
  plan what = product_of(R"([{"s": 1}])", R"([{"b": 1}, {"b": "1"}])");
  what.links = parse_links("s=b");
  EXPECT_EQ(plan_complaint(what), "accepted");
}

TEST(runnable, a_name_that_no_file_system_takes_is_refused) {
  const std::string longest(255 - std::string("BENCH--b=").size(), 'x');
  EXPECT_EQ(plan_complaint(product_of("[{}]", R"([{"b": ")" + longest + R"("}])")), "accepted");
  EXPECT_THAT(plan_complaint(product_of("[{}]", R"([{"b": ")" + longest + R"(y"}])")),
              AllOf(StartsWith("bench.json:1:2: the name of the folder of a combination has 256 "
                               "bytes"),
                    HasSubstr("give the combination a short _benchmark_name")));
}

TEST(runnable, the_names_of_levels_are_checked) {
  const std::string text(230, 'x');
  plan what = product_of("[{}]", R"([{"b": ")" + text + R"("}])");
  EXPECT_EQ(plan_complaint(what), "accepted");
  what.does = kind::workload;
  EXPECT_THAT(plan_complaint(what), HasSubstr("WL--request_rate=1000"));
}

TEST(runnable, a_combination_may_not_set_the_variable_of_the_levels) {
  for (const char* key : {"request_rate", "request-rate"}) {
    plan what = product_of("[{}]", R"([{"b": 1}, {")" + std::string(key) + R"(": 5}])");
    EXPECT_EQ(plan_complaint(what), "accepted");
    what.does = kind::workload;
    EXPECT_THAT(plan_complaint(what),
                AllOf(StartsWith("bench.json:1:12: "), HasSubstr("--workload-var")))
        << key;
    what.does = kind::sla;
    EXPECT_THAT(plan_complaint(what), HasSubstr("--sla-variable")) << key;
    what.variable = "max_concurrency";
    EXPECT_EQ(plan_complaint(what), "accepted");
  }
}

TEST(runnable, an_experiment_without_combinations_is_accepted) {
  EXPECT_EQ(plan_complaint(product_of("[]", "[{}]")), "accepted");
  EXPECT_EQ(plan_complaint(product_of("[{}]", "[]")), "accepted");
}

TEST(runnable, criteria_whose_file_has_a_long_name_are_refused) {
  plan what = product_of("[{}]", "[{}]");
  what.does = kind::sla;
  what.sla_sets = {sla_set{{std::string(250, 'k'), comparison_sign::at_most, 1}}};
  EXPECT_THAT(plan_complaint(what), HasSubstr("use fewer criteria"));
}

TEST(runnable, links_that_leave_nothing_are_refused_with_the_parameter_that_is_missing) {
  plan what = product_of(R"([{"s": 1}])", R"([{"b": 2}])");
  what.links = parse_links("s=b");
  EXPECT_THAT(plan_complaint(what),
              StartsWith("--link-vars: no combination is left: the links leave out all of them; "));
  what.links = parse_links("S=b");
  EXPECT_THAT(plan_complaint(what), HasSubstr("no server has the parameter S of the link S=b"));
  what.links = parse_links("s=max_concurrency");
  EXPECT_THAT(plan_complaint(what),
              HasSubstr("no benchmark has the parameter max_concurrency of the link "
                        "s=max_concurrency"));
  what.does = kind::workload;
  EXPECT_EQ(plan_complaint(what), "accepted");
  EXPECT_TRUE(some_run(what));
  what.bench_items.clear();
  EXPECT_EQ(plan_complaint(what), "accepted");
}

TEST(runnable, an_item_that_is_there_twice_is_named_with_its_lines) {
  EXPECT_THAT(repetitions_in(product_of("[{\"s\": 1},\n {\"s\": 2},\n {\"s\": 1}]",
                                        R"([{"b": 1}, {"b": "1"}])")),
              ElementsAre("serve.json:3:2: the combination {'s': 1} is the same as that in line 1; "
                          "its runs are made once and are in summary.csv twice"));
}

TEST(runnable, two_spellings_of_an_option_in_a_combination_are_refused) {
  EXPECT_EQ(
      plan_complaint(product_of("[{}]", "[{\"max_concurrency\": 1,\n\"max-concurrency\": 2}]")),
      "bench.json:2:20: the combination has the parameter 'max-concurrency', and "
      "'max_concurrency', which is the same option; remove one of them");
  EXPECT_THAT(plan_complaint(product_of(R"([{"a-b.c": 1, "a_b.c": 2}])", "[{}]")),
              StartsWith("serve.json:1:24: "));
  EXPECT_EQ(plan_complaint(product_of(R"([{"a.b-c": 1, "a.b_c": 2}])", "[{}]")), "accepted");
}

TEST(runnable, the_place_of_the_result_is_no_parameter) {
  for (const char* key : {"result_dir", "result-dir", "result_filename"}) {
    const std::string items = R"([{")" + std::string(key) + R"(": "x"}])";
    EXPECT_THAT(plan_complaint(product_of("[{}]", items)),
                AllOf(StartsWith("bench.json:1:"), HasSubstr("is set by the sweep")))
        << key;
    EXPECT_EQ(plan_complaint(product_of(items, "[{}]")), "accepted") << key;
  }
}

TEST(runnable, a_value_that_no_argument_can_have_is_refused) {
  const std::string items =
      R"([{"_benchmark_name": "n", "x": ")" + std::string(131072, 'y') + "\"}]";
  EXPECT_THAT(
      plan_complaint(product_of("[{}]", items)),
      StartsWith("bench.json:1:32: the parameter 'x' of the benchmark has 131072 bytes, and "
                 "an argument of a program can have 131071"));
  EXPECT_THAT(plan_complaint(product_of(items, "[{}]")), HasSubstr("'x' of the server has"));
}

}  // namespace
}  // namespace inferbench::sweep
