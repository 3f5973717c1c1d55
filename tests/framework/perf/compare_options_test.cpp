#include "perf/compare_options.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "options/environment.hpp"
#include "options/refusal.hpp"
#include "support/golden.hpp"

namespace inferbench::perf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

compare_request parsed_comparison(const std::vector<std::string>& args,
                                  const std::string& disable_excel = {}) {
  options::environment env;
  if (!disable_excel.empty()) env.variables["VLLM_COMPARE_DISABLE_EXCEL"] = disable_excel;
  return parse_compare(args, env);
}

std::string refusal_of_comparison(const std::vector<std::string>& args) {
  try {
    static_cast<void>(parsed_comparison(args));
  } catch (const options::usage_error& e) {
    return e.what();
  }
  return "accepted";
}

TEST(the_arguments_of_perf_compare, have_the_defaults_of_upstream) {
  const compare_request out = parsed_comparison({"-f", "a.json"});
  EXPECT_THAT(out.files, ElementsAre("a.json"));
  EXPECT_FALSE(out.debug);
  EXPECT_TRUE(out.plot);
  EXPECT_EQ(out.x_axis, "# of max concurrency.");
  EXPECT_FALSE(out.medians);
  EXPECT_EQ(out.limits.ttft_ms, 3000);
  EXPECT_EQ(out.limits.tpot_ms, 100);
  EXPECT_EQ(out.limits.ttft_with_slack(), 3150);
  EXPECT_EQ(out.limits.tpot_with_slack(), 105);
  EXPECT_EQ(out.csv_folder, "");
  EXPECT_EQ(out.excel_file, "perf_comparison.xlsx");
}

TEST(the_arguments_of_perf_compare, are_read_in_every_form_of_upstreams_parser) {
  const compare_request out = parsed_comparison({"-f",
                                                 "a.json",
                                                 "--file",
                                                 "b.json",
                                                 "--file=c.json",
                                                 "-fd.json",
                                                 "--debug",
                                                 "--no-plot",
                                                 "-x",
                                                 "qps",
                                                 "-lthe median",
                                                 "--ttft-max",
                                                 "200.5",
                                                 "--tpot_max_ms=20",
                                                 "--ttft-slack-pct",
                                                 "0",
                                                 "--tpot-slack-pct",
                                                 "1e1",
                                                 "--csv-out-dir",
                                                 "out",
                                                 "--excel-out",
                                                 "x.xlsx"});
  EXPECT_THAT(out.files, ElementsAre("a.json", "b.json", "c.json", "d.json"));
  EXPECT_TRUE(out.debug);
  EXPECT_FALSE(out.plot);
  EXPECT_EQ(out.x_axis, "qps");
  EXPECT_TRUE(out.medians);
  EXPECT_EQ(out.limits.ttft_with_slack(), 200.5);
  EXPECT_EQ(out.limits.tpot_with_slack(), 22);
  EXPECT_EQ(out.csv_folder, "out");
  EXPECT_EQ(out.excel_file, "x.xlsx");
}

TEST(the_arguments_of_perf_compare, let_the_last_of_two_switches_count) {
  EXPECT_TRUE(parsed_comparison({"-f", "a", "--no-plot", "--plot"}).plot);
  EXPECT_FALSE(parsed_comparison({"-f", "a", "--plot", "--no-plot"}).plot);
}

TEST(the_arguments_of_perf_compare, have_no_excel_file_if_upstreams_variable_is_1) {
  EXPECT_EQ(parsed_comparison({"-f", "a"}, "1").excel_file, "");
  EXPECT_EQ(parsed_comparison({"-f", "a", "--excel-out", "x.xlsx"}, "1").excel_file, "");
  EXPECT_EQ(parsed_comparison({"-f", "a"}, "0").excel_file, "perf_comparison.xlsx");
}

TEST(the_arguments_of_perf_compare, are_refused_in_one_clear_line) {
  EXPECT_EQ(refusal_of_comparison({}), "no file is given; name a benchmark_results.json with -f");
  EXPECT_THAT(refusal_of_comparison({"a.json"}), HasSubstr("unexpected argument a.json; write -f"));
  EXPECT_EQ(refusal_of_comparison({"-f"}), "--file: needs a value; write --file FILE");
  EXPECT_EQ(refusal_of_comparison({"-f", "--debug"}), "--file: needs a value; write --file FILE");
  EXPECT_EQ(refusal_of_comparison({"--file="}), "--file: the path is empty");
  EXPECT_EQ(refusal_of_comparison({"--excel-out="}), "--excel-out: the path is empty");
  EXPECT_EQ(refusal_of_comparison({"--excel-out", "/dev/full"}),
            "--excel-out: the name \"/dev/full\" does not end in .xlsx");
  EXPECT_EQ(refusal_of_comparison({"--debug=1"}), "--debug: takes no value");
  EXPECT_THAT(refusal_of_comparison({"--bogus"}), HasSubstr("unknown option --bogus"));
  EXPECT_THAT(refusal_of_comparison({"-q"}), HasSubstr("unknown option -q"));
  EXPECT_EQ(refusal_of_comparison({"--ttft", "1"}),
            "--ttft is ambiguous; write one of --ttft-max-ms, --ttft-slack-pct");
  EXPECT_THAT(refusal_of_comparison({"-f", "a", "-x", "Speed"}),
              HasSubstr("--xaxis: \"Speed\" is not a column of the key; use one of \"Model\", "));
  for (const char* wrong : {"-1", "nan", "inf", "fast", ""})
    EXPECT_THAT(refusal_of_comparison({"-f", "a", std::string("--tpot-max-ms=") + wrong}),
                HasSubstr("is not a finite number from 0 on"))
        << wrong;
}

TEST(the_help_of_perf_compare, lists_every_option) {
  support::expect_golden(parsed_comparison({"--bogus", "--help"}).help,
                         INFERBENCH_FIXTURES "/perf/compare_help.txt");
}

}  // namespace
}  // namespace inferbench::perf
