#include "sweep/request.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/sweep/items.hpp"
#include "options/refusal.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::sweep {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

constexpr std::time_t some_time = 1735732800;  // 2025-01-01 12:00 UTC

std::vector<std::string> with_commands(std::vector<std::string> more) {
  std::vector<std::string> out{"--serve-cmd", "vllm serve model", "--bench-cmd",
                               "vllm bench serve"};
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

plan planned(const std::vector<std::string>& more, kind which = kind::serve) {
  return parse_sweep(which, with_commands(more), some_time).plan;
}

/// "usage: TEXT" for an error of the form, which ends with status 2; "TEXT" for other errors.
std::string refusal(kind which, const std::vector<std::string>& args) {
  try {
    (void)parse_sweep(which, args, some_time);
  } catch (const options::usage_error& e) {
    return std::string("usage: ") + e.what();
  } catch (const base::error& e) {
    return e.what();
  }
  return "accepted";
}

std::string plan_refusal(const std::vector<std::string>& more, kind which = kind::serve) {
  return refusal(which, with_commands(more));
}

TEST(sweep_request, the_defaults_are_those_of_upstream) {
  const plan what = planned({});
  EXPECT_EQ(what.does, kind::serve);
  EXPECT_THAT(what.serve_command, ElementsAre("vllm", "serve", "model"));
  EXPECT_THAT(what.bench_command, ElementsAre("vllm", "bench", "serve"));
  EXPECT_FALSE(what.after_bench);
  EXPECT_FALSE(what.show_stdout);
  EXPECT_EQ(what.ready_timeout_s, 300U);
  ASSERT_EQ(what.serve_items.size(), 1U);
  EXPECT_TRUE(what.serve_items[0].empty());
  ASSERT_EQ(what.bench_items.size(), 1U);
  EXPECT_TRUE(what.bench_items[0].empty());
  EXPECT_THAT(what.links, IsEmpty());
  EXPECT_EQ(what.output_dir, "results");
  EXPECT_EQ(what.num_runs, 3);
  EXPECT_EQ(what.warmup_prompts, 0);
  EXPECT_FALSE(what.dry_run);
  EXPECT_FALSE(what.resume);
  EXPECT_FALSE(what.continue_on_error);
  EXPECT_EQ(what.in_order, plan::order::upstream);
  EXPECT_THAT(what.reporters, IsEmpty());
}

TEST(sweep_request, the_experiment_is_named_after_the_local_time) {
  EXPECT_EQ(planned({}).experiment, experiment_name(some_time));
  EXPECT_THAT(experiment_name(some_time), testing::MatchesRegex("202[45][0-9]{4}_[0-9]{6}"));
}

TEST(sweep_request, every_option_reaches_the_plan) {
  const support::temporary_folder box;
  const std::string serve = box.write("s.json", R"({"small": {"max_num_seqs": 16}})");
  const std::string bench = box.write("b.json", R"([{"x": 16}, {"x": 32}])");
  const plan what = planned({"--after-bench-cmd",
                             "curl -X 'POST now'",
                             "--show-stdout",
                             "--server-ready-timeout",
                             "20",
                             "--serve-params",
                             serve,
                             "--bench-params",
                             bench,
                             "--link-vars",
                             "max_num_seqs=x",
                             "-o",
                             "out",
                             "-e",
                             "mine",
                             "--num-runs",
                             "5",
                             "--dry-run",
                             "--warmup-num-prompts",
                             "7",
                             "--continue-on-error",
                             "--reporter",
                             "html=a.html",
                             "--reporter",
                             "csv"});
  EXPECT_THAT(what.after_bench.value(), ElementsAre("curl", "-X", "POST now"));
  EXPECT_TRUE(what.show_stdout);
  EXPECT_EQ(what.ready_timeout_s, 20U);
  EXPECT_EQ(what.serve_items.at(0).name(), "small");
  EXPECT_EQ(what.bench_items.size(), 2U);
  EXPECT_EQ(what.links.at(0).bench_key, "x");
  EXPECT_EQ(what.output_dir, "out");
  EXPECT_EQ(what.experiment, "mine");
  EXPECT_EQ(what.num_runs, 5);
  EXPECT_TRUE(what.dry_run);
  EXPECT_EQ(what.warmup_prompts, 7);
  EXPECT_TRUE(what.continue_on_error);
  EXPECT_THAT(what.reporters, ElementsAre("html=a.html", "csv"));
}

TEST(sweep_request, an_empty_parameter_file_has_no_combination) {
  const support::temporary_folder box;
  EXPECT_THAT(planned({"--serve-params", box.write("s.json", "[]")}).serve_items, IsEmpty());
}

TEST(sweep_request, the_commands_are_required) {
  EXPECT_THAT(refusal(kind::serve, {}), StartsWith("usage: --serve-cmd: is required"));
  EXPECT_THAT(refusal(kind::serve, {"--serve-cmd", "a"}),
              StartsWith("usage: --bench-cmd: is required"));
  EXPECT_THAT(plan_refusal({}, kind::sla), StartsWith("usage: --sla-params: is required"));
}

TEST(sweep_request, a_command_that_cannot_be_split_is_refused) {
  EXPECT_THAT(plan_refusal({"--bench-cmd", "a 'b"}),
              StartsWith("--bench-cmd: the quotation mark ' is not closed"));
  EXPECT_THAT(plan_refusal({"--serve-cmd", ""}), StartsWith("--serve-cmd: the command is empty"));
  EXPECT_THAT(plan_refusal({"--after-bench-cmd="}), StartsWith("--after-bench-cmd: the command"));
}

TEST(sweep_request, numbers_are_whole_and_in_range) {
  EXPECT_THAT(plan_refusal({"--num-runs", "0"}),
              StartsWith("--num-runs: must be a whole number from 1 to "));
  EXPECT_THAT(plan_refusal({"--num-runs", "-1"}), EndsWith("not -1"));
  EXPECT_THAT(plan_refusal({"--warmup-num-prompts", "-1"}),
              StartsWith("--warmup-num-prompts: must"));
  for (const char* text : {"three", "", "1.5", "1e3", "99999999999999999999"})
    EXPECT_THAT(plan_refusal({"--num-runs", text}),
                AllOf(StartsWith("usage: --num-runs: "), EndsWith("is not a whole number")))
        << text;
  EXPECT_EQ(planned({"--server-ready-timeout", "0"}).ready_timeout_s, 0U);
  EXPECT_THAT(plan_refusal({"--server-ready-timeout", "9223372036854775807"}),
              HasSubstr("must be"));
}

TEST(sweep_request, empty_names_are_refused) {
  for (const char* flag : {"--output-dir", "--experiment-name", "--serve-params", "--bench-params"})
    EXPECT_THAT(plan_refusal({std::string(flag) + "="}),
                StartsWith("usage: " + std::string(flag) + ": needs a value that is not empty"));
  EXPECT_THAT(plan_refusal({"--reporter", "=x"}), StartsWith("usage: --reporter: needs the name"));
}

TEST(sweep_request, resume_needs_the_name_of_an_experiment) {
  EXPECT_THAT(plan_refusal({"--resume"}),
              AllOf(StartsWith("--resume: needs the name"), HasSubstr("--experiment-name NAME")));
  for (const auto& args : std::vector<std::vector<std::string>>{{"--resume", "a"},
                                                                {"--resume", "-e", "a"},
                                                                {"--resume=a", "--resume"},
                                                                {"--resume", "a", "-e", "a"}}) {
    EXPECT_TRUE(planned(args).resume);
    EXPECT_EQ(planned(args).experiment, "a");
  }
  EXPECT_THAT(plan_refusal({"--resume", "a", "-e", "b"}),
              StartsWith("usage: --resume: names another experiment"));
}

TEST(sweep_request, links_that_are_no_pairs_are_refused) {
  EXPECT_THAT(plan_refusal({"--link-vars", "a"}), StartsWith("--link-vars: \"a\" is not a pair"));
  EXPECT_EQ(plan_refusal({"--link-vars", ""}), "accepted");
}

TEST(sweep_request, a_parameter_file_that_cannot_be_read_is_refused) {
  const support::temporary_folder box;
  EXPECT_THAT(plan_refusal({"--serve-params", box.path("none.json")}), HasSubstr("none.json"));
  const std::string bad = box.write("bad.json", "{\"a\": 1}");
  EXPECT_THAT(plan_refusal({"--bench-params", bad}), StartsWith(bad + ":1:7: should be a list"));
}

TEST(sweep_request, a_workload_has_a_variable_and_levels) {
  const plan usual = planned({}, kind::workload);
  EXPECT_EQ(usual.variable, "request_rate");
  EXPECT_EQ(usual.workload_iters, 10);
  const plan other =
      planned({"--workload-var", "max_concurrency", "--workload-iters", "2"}, kind::workload);
  EXPECT_EQ(other.variable, "max_concurrency");
  EXPECT_EQ(other.workload_iters, 2);
  EXPECT_THAT(plan_refusal({"--workload-iters", "1"}, kind::workload),
              StartsWith("--workload-iters: must be a whole number from 2"));
  EXPECT_THAT(
      plan_refusal({"--workload-var", "max_concurency"}, kind::workload),
      AllOf(StartsWith("usage: --workload-var: "), EndsWith("did you mean max_concurrency?")));
  EXPECT_THAT(plan_refusal({"--workload-var", "x"}, kind::workload),
              HasSubstr("is not one of request_rate, max_concurrency"));
}

TEST(sweep_request, a_parameter_may_not_be_the_variable) {
  const support::temporary_folder box;
  const std::string bench = box.write("b.json", R"([{"request-rate": 1}])");
  EXPECT_THAT(plan_refusal({"--bench-params", bench}, kind::workload),
              AllOf(StartsWith(bench + ":1:2: "), HasSubstr("sets request_rate")));
  EXPECT_EQ(plan_refusal({"--bench-params", bench}), "accepted");
}

TEST(sweep_request, a_search_has_criteria_a_variable_and_a_way_of_searching) {
  const support::temporary_folder box;
  const std::string sla = box.write("sla.json", R"([{"p99_ttft_ms": "<=300"}])");
  const plan usual = planned({"--sla-params", sla}, kind::sla);
  EXPECT_EQ(usual.variable, "request_rate");
  EXPECT_EQ(usual.search, sla_search::spline);
  ASSERT_EQ(usual.sla_sets.size(), 1U);
  const plan other =
      planned({"--sla-params", sla, "--sla-variable", "max_concurrency", "--sla-search", "binary"},
              kind::sla);
  EXPECT_EQ(other.variable, "max_concurrency");
  EXPECT_EQ(other.search, sla_search::binary);
  EXPECT_THAT(plan_refusal({"--sla-params", sla, "--sla-search", "x"}, kind::sla),
              HasSubstr("is not one of spline, binary"));
}

TEST(sweep_request, help_needs_no_other_option) {
  const std::vector<std::string> args{"--help"};
  EXPECT_EQ(parse_sweep(kind::sla, args).help, sweep_help(kind::sla));
  EXPECT_EQ(parse_sweep(kind::serve, with_commands({})).help, "");
}

TEST(sweep_request, the_command_line_is_kept_without_secrets) {
  const std::vector<std::string> args{"--serve_cmd",
                                      "vllm serve --api-key abc",
                                      "--bench-cmd=b --base-url http://u:p@h",
                                      "--dry",
                                      "-e",
                                      "a b"};
  EXPECT_EQ(parse_sweep(kind::serve, args, some_time).plan.command_line,
            "inferbench sweep serve --serve-cmd 'vllm serve --api-key '\\''(cut)'\\''' --bench-cmd "
            "'b --base-url '\\''http://(cut)@h'\\''' --dry-run --experiment-name 'a b'");
}

}  // namespace
}  // namespace inferbench::sweep
