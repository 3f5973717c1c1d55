#include "sweep/sweep_flags.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/sweep/items.hpp"
#include "options/refusal.hpp"
#include "support/golden.hpp"

namespace inferbench::sweep {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

constexpr kind all_kinds[] = {kind::serve, kind::workload, kind::sla, kind::startup};

sweep_line flags_in(const std::vector<std::string>& args, kind which = kind::serve) {
  return read_sweep_flags(which, args);
}

/// The text of the usage error; other errors fail the test.
std::string flags_complaint(const std::vector<std::string>& args, kind which = kind::serve) {
  try {
    (void)flags_in(args, which);
  } catch (const options::usage_error& e) {
    return e.what();
  }
  return "accepted";
}

/// "serve-cmd=a b;dry-run="
std::string flag_texts(const std::vector<std::string>& args, kind which = kind::serve) {
  std::string out;
  for (const sweep_flag_value& flag : flags_in(args, which).flags)
    out += (out.empty() ? "" : ";") + std::string(flag.name) + "=" + flag.text;
  return out;
}

TEST(sweep_flags, the_help_of_each_command_is_that_of_its_golden_file) {
  for (const kind which : all_kinds)
    support::expect_golden(sweep_help(which), std::string(INFERBENCH_FIXTURES) + "/sweep/help_" +
                                                  std::string(command_name(which)) + ".txt");
}

TEST(sweep_flags, commands_have_the_names_of_upstream) {
  EXPECT_EQ(command_name(kind::serve), "serve");
  EXPECT_EQ(command_name(kind::workload), "serve_workload");
  EXPECT_EQ(command_name(kind::sla), "serve_sla");
  EXPECT_EQ(command_name(kind::startup), "startup");
}

TEST(sweep_flags, underscores_and_dashes_are_equal) {
  EXPECT_EQ(flag_texts({"--serve_cmd", "a_b", "--bench-cmd=c_d", "--after_bench-cmd", "e"}),
            "serve-cmd=a_b;bench-cmd=c_d;after-bench-cmd=e");
}

TEST(sweep_flags, a_value_follows_an_equals_sign_or_is_the_next_argument) {
  EXPECT_EQ(flag_texts({"--num-runs=5", "--num-runs", "6", "--serve-cmd=a=b --c", "--bench-cmd="}),
            "num-runs=5;num-runs=6;serve-cmd=a=b --c;bench-cmd=");
}

TEST(sweep_flags, short_flags_have_values_in_three_forms) {
  EXPECT_EQ(flag_texts({"-o", "a", "-ob", "-o=c", "-e", "x"}),
            "output-dir=a;output-dir=b;output-dir=c;experiment-name=x");
}

TEST(sweep_flags, a_prefix_stands_for_the_only_flag_that_it_begins) {
  EXPECT_EQ(flag_texts({"--exp", "x", "--dry", "--after", "y"}),
            "experiment-name=x;dry-run=;after-bench-cmd=y");
  EXPECT_EQ(flag_texts({"--sla-v", "x"}, kind::sla), "sla-variable=x");
}

TEST(sweep_flags, an_ambiguous_prefix_is_refused) {
  EXPECT_THAT(flags_complaint({"--serve-", "x"}),
              StartsWith("--serve-: could be --serve-cmd, --serve-params; write it out"));
}

TEST(sweep_flags, the_last_of_equal_flags_counts) {
  const sweep_line line = flags_in({"--num-runs", "1", "--num_runs", "2"});
  ASSERT_NE(line.find("num-runs"), nullptr);
  EXPECT_EQ(*line.find("num-runs"), "2");
  EXPECT_EQ(line.find("output-dir"), nullptr);
}

TEST(sweep_flags, a_switch_takes_no_value) {
  EXPECT_EQ(flag_texts({"--dry-run", "--show-stdout", "--continue-on-error"}),
            "dry-run=;show-stdout=;continue-on-error=");
  EXPECT_THAT(flags_complaint({"--dry-run=true"}), StartsWith("--dry-run: takes no value"));
  EXPECT_THAT(flags_complaint({"--dry-run", "true"}), HasSubstr("\"true\" is not an option"));
}

TEST(sweep_flags, resume_takes_a_name_or_none) {
  EXPECT_EQ(flag_texts({"--resume"}), "resume=");
  EXPECT_EQ(flag_texts({"--resume", "20250101_120000"}), "resume=20250101_120000");
  EXPECT_EQ(flag_texts({"--resume", "--dry-run"}), "resume=;dry-run=");
  EXPECT_EQ(flag_texts({"--resume", "-e", "x"}), "resume=;experiment-name=x");
}

TEST(sweep_flags, a_value_may_be_negative_or_contain_blanks) {
  EXPECT_EQ(flag_texts({"--num-runs", "-1", "--serve-cmd", "-x y", "--bench-cmd", "--a b"}),
            "num-runs=-1;serve-cmd=-x y;bench-cmd=--a b");
  EXPECT_EQ(flag_texts({"--serve-cmd", "", "--output-dir", "-"}), "serve-cmd=;output-dir=-");
}

TEST(sweep_flags, a_missing_value_is_refused) {
  EXPECT_THAT(flags_complaint({"--serve-cmd"}), StartsWith("--serve-cmd: a value is missing"));
  EXPECT_THAT(flags_complaint({"--serve-cmd", "--dry-run"}),
              AllOf(HasSubstr("a value is missing"), HasSubstr("--serve-cmd=VALUE")));
  EXPECT_THAT(flags_complaint({"-o"}), StartsWith("-o: a value is missing"));
}

TEST(sweep_flags, an_unknown_flag_is_refused_with_a_hint) {
  EXPECT_THAT(
      flags_complaint({"--bench-parms", "x"}),
      AllOf(StartsWith("--bench-parms: no such option"), EndsWith("did you mean --bench-params?")));
  EXPECT_THAT(flags_complaint({"--nonsense"}), EndsWith("see inferbench sweep serve --help"));
  for (const char* token : {"--", "-x", "--=x", "--=", "-"})
    EXPECT_NE(flags_complaint({token}), "accepted") << token;
}

TEST(sweep_flags, a_flag_of_another_command_is_named_with_its_command) {
  EXPECT_THAT(flags_complaint({"--sla-params", "x"}),
              AllOf(StartsWith("--sla-params: no such option of sweep serve"),
                    EndsWith("it belongs to sweep serve_sla")));
  EXPECT_THAT(flags_complaint({"--workload_var=x"}, kind::sla),
              EndsWith("it belongs to sweep serve_workload"));
}

TEST(sweep_flags, a_flag_can_take_two_values) {
  EXPECT_EQ(flag_texts({"--sla-between", "1", "100", "--dry-run"}, kind::sla),
            "sla-between=1 100;dry-run=");
  EXPECT_EQ(flag_texts({"--sla-between=1", "-5", "--sla-between=1 2"}, kind::sla),
            "sla-between=1 -5;sla-between=1 2");
  EXPECT_EQ(flag_texts({"--sla-between", "1", "--dry-run"}, kind::sla), "sla-between=1;dry-run=");
  EXPECT_THAT(flags_complaint({"--sla-between"}, kind::sla), HasSubstr("a value is missing"));
}

TEST(sweep_flags, a_sweep_of_starts_has_no_flag_of_a_server) {
  EXPECT_EQ(flag_texts({"--startup-cmd", "a b", "--strict_params", "--serve-p", "x", "--num-runs=2",
                        "-e", "n"},
                       kind::startup),
            "startup-cmd=a b;strict-params=;serve-params=x;num-runs=2;experiment-name=n");
  for (const char* flag : {"--serve-cmd", "--bench-cmd", "--after-bench-cmd", "--bench-params",
                           "--link-vars", "--server-ready-timeout", "--warmup-num-prompts"})
    EXPECT_THAT(flags_complaint({flag, "x"}, kind::startup),
                AllOf(StartsWith(std::string(flag) + ": no such option of sweep startup"),
                      EndsWith("it belongs to sweep serve")));
  for (const char* flag : {"--startup-cmd", "--startup-params"})
    EXPECT_THAT(flags_complaint({flag, "x"}), EndsWith("it belongs to sweep startup"));
}

TEST(sweep_flags, the_command_of_the_benchmark_has_a_flag) {
  EXPECT_STREQ(benchmark_flag(kind::serve), "--bench-cmd");
  EXPECT_STREQ(benchmark_flag(kind::sla), "--bench-cmd");
  EXPECT_STREQ(benchmark_flag(kind::startup), "--startup-cmd");
}

TEST(sweep_flags, an_argument_that_is_no_flag_is_refused) {
  EXPECT_THAT(flags_complaint({"results"}), HasSubstr("\"results\" is not an option"));
  EXPECT_THAT(flags_complaint({""}), HasSubstr("\"\" is not an option"));
  EXPECT_THAT(flags_complaint({"--bench-cmd", "inferbench", "serve"}),
              AllOf(HasSubstr("\"serve\" is not an option"), HasSubstr("in quotes")));
}

TEST(sweep_flags, yaml_files_are_refused_with_the_remedy) {
  EXPECT_THAT(flags_complaint({"--config", "a.yaml"}), HasSubstr("[sweep]"));
}

TEST(sweep_flags, help_ends_the_line) {
  EXPECT_TRUE(flags_in({"--help", "--nonsense"}).help);
  EXPECT_TRUE(flags_in({"--dry-run", "-h", "--nonsense"}).help);
  EXPECT_FALSE(flags_in({"--dry-run"}).help);
}

TEST(sweep_flags, the_help_fits_a_terminal_of_100_columns) {
  for (const kind which : all_kinds)
    for (const std::string_view line : base::split(sweep_help(which), '\n'))
      EXPECT_LE(line.size(), 100U) << line;
}

}  // namespace
}  // namespace inferbench::sweep
