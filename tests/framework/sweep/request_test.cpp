#include "sweep/request.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/sweep/items.hpp"
#include "options/refusal.hpp"
#include "support/temporary_folder.hpp"
#include "sweep/runnable.hpp"

namespace inferbench::sweep {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
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
              HasSubstr("is not one of spline, binary, certified"));
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

/// A sweep of starts whose benchmark has the options num_iters_cold and cold_env.
plan planned_starts(const std::vector<std::string>& args) {
  const startup_benchmark benchmark{
      .command = {"/bin/inferbench", "startup"},
      .options = [](const std::vector<std::string>& command, const std::vector<std::string>& with) {
        std::set<std::string> out{"num_iters_cold", "cold_env"};
        out.insert("of_" + command.front());
        for (const std::string& each : with)
          out.insert("engine_" + each);
        return out;
      }};
  return parse_sweep(kind::startup, args, some_time, benchmark).plan;
}

TEST(sweep_request, a_sweep_of_starts_has_the_defaults_of_upstream_and_this_programs_benchmark) {
  const plan what = planned_starts({});
  EXPECT_EQ(what.does, kind::startup);
  EXPECT_THAT(what.serve_command, IsEmpty());
  EXPECT_THAT(what.bench_command, ElementsAre("/bin/inferbench", "startup"));
  EXPECT_EQ(what.num_runs, 1);
  EXPECT_EQ(what.output_dir, "results");
  EXPECT_EQ(what.experiment, experiment_name(some_time));
  EXPECT_FALSE(what.show_stdout || what.dry_run || what.resume || what.continue_on_error);
  ASSERT_EQ(what.serve_items.size(), 1U);
  EXPECT_TRUE(what.serve_items[0].empty());
  ASSERT_EQ(what.bench_items.size(), 1U);
  EXPECT_TRUE(what.bench_items[0].empty());
  EXPECT_THAT(what.notes, IsEmpty());
}

TEST(sweep_request, a_sweep_of_starts_leaves_out_what_the_benchmark_does_not_have) {
  const support::temporary_folder box;
  const std::string serve = box.write(
      "s.json", R"([{"max_num_seqs": 16, "port": 8000, "host": "h"}, {"port": 1}, {"seed": 2}])");
  const std::string starts =
      box.write("b.json", R"({"a": {"num_iters_cold": 1, "num-prompts": 5}, "b": {"backend": "x",
                    "engine_x": 1, "engine_y": 2, "of_s": 3}})");
  const plan what =
      planned_starts({"--startup-cmd", "s 'a b'", "--serve-params", serve, "--startup-params",
                      starts, "--num-runs", "3", "--reporter", "csv=a.csv"});
  EXPECT_THAT(what.bench_command, ElementsAre("s", "a b"));
  EXPECT_THAT(what.reporters, ElementsAre("csv=a.csv"));
  EXPECT_EQ(what.num_runs, 3);
  ASSERT_EQ(what.serve_items.size(), 3U);
  EXPECT_EQ(what.serve_items[0].text(), "max_num_seqs=16");
  EXPECT_TRUE(what.serve_items[1].empty());
  EXPECT_EQ(what.serve_items[2].text(), "seed=2");
  ASSERT_EQ(what.bench_items.size(), 2U);
  EXPECT_EQ(what.bench_items[0].text(), "num_iters_cold=1");
  EXPECT_EQ(what.bench_items[0].name(), "a");
  EXPECT_EQ(what.bench_items[1].text(), "engine_x=1, of_s=3");
  EXPECT_THAT(
      what.notes,
      ElementsAre(
          "Ignoring unsupported startup params for max_num_seqs=16, port=8000, host=h: host, port",
          "Ignoring unsupported startup params for port=1: port",
          "Ignoring unsupported startup params for a: num-prompts",
          "Ignoring unsupported startup params for b: backend, engine_y"));
}

TEST(sweep_request, strict_parameters_of_a_sweep_of_starts_are_refused_with_their_position) {
  const support::temporary_folder box;
  const std::string serve = box.write("s.json", R"([{"seed": 1}, {"port": 1}])");
  EXPECT_THAT(
      complaint_of([&] { return planned_starts({"--serve-params", serve, "--strict-params"}); }),
      StartsWith(serve + ":1:15: Ignoring unsupported startup params for port=1: port; "));
  const std::string good = box.write("g.json", R"([{"seed": 1}])");
  EXPECT_EQ(planned_starts({"--startup-params", good, "--strict-params"}).bench_items.size(), 1U);
}

TEST(sweep_request, a_sweep_of_starts_refuses_bad_commands_numbers_and_combinations) {
  const support::temporary_folder box;
  const auto refusal_of = [](const std::vector<std::string>& args) {
    return complaint_of([&] { return planned_starts(args); });
  };
  EXPECT_THAT(refusal_of({"--startup-cmd", ""}), StartsWith("--startup-cmd: the command is empty"));
  EXPECT_THAT(refusal_of({"--startup-cmd", "a 'b"}), StartsWith("--startup-cmd: the quotation"));
  EXPECT_THAT(refusal_of({"--num-runs", "0"}), StartsWith("--num-runs: must be a whole number"));
  EXPECT_THAT(refusal_of({"--resume"}), StartsWith("--resume: needs the name"));
  const std::string twice = box.write("t.json", R"([{"max_num_seqs": 1, "max-num-seqs": 2}])");
  EXPECT_THAT(refusal_of({"--serve-params", twice}), HasSubstr("which is the same option"));
  const std::string folders = box.write("f.json", R"([{"dtype": "1"}, {"dtype": 1}])");
  EXPECT_THAT(refusal_of({"--startup-params", folders}), HasSubstr("STARTUP--dtype=1"));
}

TEST(sweep_request, items_that_are_equal_without_other_parameters_are_a_repetition) {
  const support::temporary_folder box;
  const std::string serve = box.write("s.json", "[{\"seed\": 1, \"port\": 1},\n {\"seed\": 1}]");
  const plan what = planned_starts({"--serve-params", serve});
  EXPECT_THAT(repetitions_in(what), ElementsAre(HasSubstr("is the same as that in line 1")));
}

/// A certified search with these arguments.
std::vector<std::string> certified(const support::temporary_folder& box,
                                   std::vector<std::string> more) {
  std::vector<std::string> out{"--serve-cmd",  "vllm serve m",
                               "--bench-cmd",  "inferbench serve --model m",
                               "--sla-search", "certified",
                               "--sla-params", box.write("sla.json", R"([{"failed": "<1"}])")};
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

TEST(sweep_request, a_certified_search_has_the_command_of_find_and_one_run) {
  const support::temporary_folder box;
  const plan usual =
      parse_sweep(kind::sla, certified(box, {"--sla-between", "1", "2.5"}), some_time).plan;
  EXPECT_EQ(usual.search, sla_search::certified);
  EXPECT_EQ(usual.num_runs, 1);
  EXPECT_THAT(usual.bench_command, ElementsAre("inferbench", "find", "--model", "m", "--over",
                                               "request_rate", "--between", "1", "2.5"));
  const plan other = parse_sweep(kind::sla,
                                 certified(box, {"--sla-between=4 64", "--sla-variable",
                                                 "max_concurrency", "--sla-max-probes", "9",
                                                 "--sla_max_requests=500", "--sla-max-time", "2m"}),
                                 some_time)
                         .plan;
  EXPECT_THAT(
      other.bench_command,
      ElementsAre("inferbench", "find", "--model", "m", "--over", "max_concurrency", "--between",
                  "4", "64", "--max-requests", "500", "--max-time", "2m", "--max-probes", "9"));
}

TEST(sweep_request, a_certified_search_refuses_what_has_no_meaning_for_it) {
  const support::temporary_folder box;
  const auto refused = [&](std::vector<std::string> more) {
    return refusal(kind::sla, certified(box, std::move(more)));
  };
  EXPECT_THAT(refused({}), HasSubstr("needs its smallest and its largest load"));
  for (const char* bounds : {"1", "1 2 3", " "})
    EXPECT_NE(refused({std::string("--sla-between=") + bounds}), "accepted") << bounds;
  EXPECT_THAT(refused({"--sla-between", "--dry-run"}),
              StartsWith("usage: --sla-between: a value is missing"));
  for (const char* flag : {"--num-runs=1", "--warmup-num-prompts=5"})
    EXPECT_THAT(refused({"--sla-between", "1", "2", flag}),
                HasSubstr("has no meaning for the certified search"))
        << flag;
  EXPECT_THAT(refused({"--sla-between", "1", "2", "--link-vars", "a=request_rate"}),
              StartsWith("--link-vars: the certified search sets request_rate"));
  EXPECT_THAT(refused({"--sla-between", "1", "2", "--bench-cmd", "vllm bench serve"}),
              StartsWith("--bench-cmd: the certified search judges each request"));
}

TEST(sweep_request, a_certified_search_has_reporters_with_a_file_for_one_search_only) {
  const support::temporary_folder box;
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"--sla-between", "1", "2"});
    return certified(box, std::move(more));
  };
  const plan one =
      parse_sweep(kind::sla, with({"--reporter", "csv=a.csv", "--reporter", "html"}), some_time)
          .plan;
  EXPECT_THAT(one.reporters, ElementsAre("csv=a.csv", "html"));
  EXPECT_THAT(one.bench_command, Not(Contains("--reporter")));
  const std::string servers = box.write("servers.json", R"([{"a": 1}, {"a": 2}])");
  EXPECT_EQ(refusal(kind::sla, with({"--reporter", "csv", "--serve-params", servers})), "accepted");
  EXPECT_THAT(
      refusal(kind::sla, with({"--reporter", "csv=a.csv", "--serve-params", servers})),
      StartsWith("usage: --reporter: csv=a.csv names one file, and each of the 2 searches"));
  EXPECT_THAT(refusal(kind::sla, with({"--reporter", "csv=-"})),
              StartsWith("usage: --reporter: csv=- prints"));
  EXPECT_EQ(refusal(kind::sla, with({"--reporter", "csv=-", "--show-stdout"})), "accepted");
}

TEST(sweep_request, the_flags_of_the_certified_search_belong_to_it) {
  const support::temporary_folder box;
  const std::string sla = box.write("sla.json", R"([{"failed": "<1"}])");
  for (const char* flag :
       {"--sla-between=1 2", "--sla-max-requests=5", "--sla-max-time=1m", "--sla-max-probes=3"})
    EXPECT_THAT(plan_refusal({"--sla-params", sla, flag}, kind::sla),
                HasSubstr("belongs to the certified search; add --sla-search certified"))
        << flag;
}

}  // namespace
}  // namespace inferbench::sweep
