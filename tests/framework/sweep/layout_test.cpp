#include "sweep/layout.hpp"

#include <gtest/gtest.h>

#include "framework/sweep/items.hpp"

namespace inferbench::sweep {
namespace {

std::string folder_of(const std::string& serve, const std::string& bench,
                      const std::vector<std::string>& more = {}) {
  return folder_name(made_item(serve), made_item(bench), more);
}

TEST(layout, the_folder_has_the_names_of_both_items) {
  EXPECT_EQ(folder_of(R"({"max_num_seqs": 32, "max_num_batched_tokens": 1024})",
                      R"({"random_input_len": 128, "random_output_len": 32})"),
            "SERVE--max_num_seqs=32-max_num_batched_tokens=1024-BENCH--random_input_len=128-random_"
            "output_len=32");
}

TEST(layout, an_empty_item_has_no_piece) {
  EXPECT_EQ(folder_of("{}", R"({"_benchmark_name": "scenario_A", "x": 1})"), "BENCH--scenario_A");
  EXPECT_EQ(folder_of(R"({"a": 1})", "{}"), "SERVE--a=1");
  EXPECT_EQ(folder_of("{}", "{}"), "");
}

TEST(layout, an_item_with_nothing_but_a_name_has_a_piece) {
  EXPECT_EQ(folder_of(R"({"_benchmark_name": "base"})", "{}"), "SERVE--base");
  EXPECT_EQ(folder_of(R"({"_benchmark_name": ""})", "{}"), "SERVE-");
}

TEST(layout, slashes_become_underscores) {
  EXPECT_EQ(folder_of(R"({"model": "org/name"})", "{}"), "SERVE--model=org_name");
}

TEST(layout, no_name_leads_out_of_the_experiment) {
  EXPECT_EQ(folder_of(R"({"_benchmark_name": "../../etc"})", "{}"), "SERVE--______etc");
  EXPECT_EQ(sanitised(".."), "__");
  EXPECT_EQ(sanitised("..."), "__.");
  EXPECT_EQ(sanitised("...."), "____");
  EXPECT_EQ(sanitised("/a//b/"), "_a__b_");
}

TEST(layout, quotes_at_the_ends_are_removed_single_quotes_first) {
  EXPECT_EQ(sanitised("''a'b''"), "a'b");
  EXPECT_EQ(sanitised("\"'a'\""), "'a'");
  EXPECT_EQ(sanitised("'\"a\"'"), "a");
  EXPECT_EQ(sanitised("''"), "");
  EXPECT_EQ(folder_of(R"({"x": "a'"})", "{}"), "SERVE--x=a");
}

TEST(layout, values_have_the_text_of_python) {
  EXPECT_EQ(
      folder_of(R"({"a": true, "b": null, "c": [1, "x/y"], "d": {"k": 0.5}, "e": 1e16})", "{}"),
      "SERVE--a=True-b=None-c=[1, 'x_y']-d={'k': 0.5}-e=1e+16");
}

TEST(layout, further_pieces_follow) {
  EXPECT_EQ(
      folder_of(R"({"a": 1})", R"({"b": 2, "max_concurrency": 1})", {"WL-", "request_rate=1"}),
      "SERVE--a=1-BENCH--b=2-max_concurrency=1-WL--request_rate=1");
  EXPECT_EQ(folder_of("{}", "{}", {"WL-", "", "request_rate=1"}), "WL--request_rate=1");
}

TEST(layout, a_run_has_a_file_with_its_number) {
  EXPECT_EQ(run_file(0), "run=0.json");
  EXPECT_EQ(run_file(12), "run=12.json");
  EXPECT_EQ(run_file(-1), "warmup.json");
}

TEST(layout, a_startup_sweep_has_startup_instead_of_bench_in_its_folder_names) {
  plan what;
  const item serve = made_item(R"({"a": 1})");
  const item bench = made_item(R"({"_benchmark_name": "x/y", "b": 2})");
  EXPECT_EQ(combination_folder(what, serve, bench), "SERVE--a=1-BENCH--x_y");
  what.does = kind::startup;
  EXPECT_EQ(combination_folder(what, serve, bench), "SERVE--a=1-STARTUP--x_y");
  EXPECT_EQ(combination_folder(what, item(), bench), "STARTUP--x_y");
  EXPECT_EQ(combination_folder(what, serve, item()), "SERVE--a=1");
  EXPECT_EQ(combination_folder(what, item(), item()), "");
}

}  // namespace
}  // namespace inferbench::sweep
