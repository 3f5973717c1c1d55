// The report in memory; HTML and CSV have tests of their own.
#include "perf/compare_report.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "framework/perf/compare_files.hpp"

namespace inferbench::perf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

compare_request request_with_x_axis(const std::string& title) {
  compare_request out;
  out.x_axis = title;
  return out;
}

comparison_report report_of_texts(const std::vector<std::string>& texts) {
  return compared(files_with(texts), request_with_x_axis("# of max concurrency."));
}

TEST(a_comparison, has_a_group_with_heading_page_and_sheet_for_each_load) {
  const std::string other = R"({"Model": "a", "Dataset Name": "sharegpt", "Input Len": NaN,)"
                            R"("Output Len": NaN, "# of max concurrency.": 1, "P99": 1}])";
  std::string text = example_a();
  text.back() = ',';
  const comparison_report report = report_of_texts({text + other});
  ASSERT_THAT(report.groups, SizeIs(2));
  EXPECT_EQ(report.groups[0].file, "perf_comparison_a_sharegpt_nan_nan.html");
  EXPECT_EQ(report.groups[1].heading,
            "Model : [ org/model ]  , Dataset Name : [ random ]  , Input Len : [ 128 ]  , "
            "Output Len : [ 128 ]");
  EXPECT_EQ(report.groups[1].file, "perf_comparison_org-model_random_128_128.html");
  EXPECT_EQ(report.groups[1].sheet, "model_128x128");
  EXPECT_THAT(report.groups[1].parts, SizeIs(3));
  EXPECT_TRUE(report.groups[1].summary);
}

TEST(a_comparison, keeps_a_group_that_only_one_metric_has) {
  std::string text = example_a();
  text.back() = ',';
  const comparison_report report = report_of_texts({text + R"({"Test name": "latency_x"}])"});
  ASSERT_THAT(report.groups, SizeIs(2));
  EXPECT_EQ(report.groups[1].file, "perf_comparison_nan_nan_nan_nan.html");
  EXPECT_THAT(report.groups[1].parts[0].rows, SizeIs(1));
  EXPECT_THAT(report.groups[1].parts[1].rows, SizeIs(0));
  EXPECT_FALSE(report.groups[1].summary);
}

TEST(a_comparison, says_how_many_runs_are_behind_its_values) {
  EXPECT_THAT(report_of_texts({example_a()}).notes,
              ElementsAre(HasSubstr("Each value is from one run; ratios and limits are "
                                    "descriptions of these runs, without error bars")));
  const std::string row = serving_row("12", "1", "1", "1");
  EXPECT_THAT(report_of_texts({"[" + row + "," + row + "]"}).notes.at(0),
              HasSubstr("Each value is the mean of 2 runs;"));
  EXPECT_THAT(report_of_texts({"[" + row + "," + row + "]", "[" + row + "]"}).notes.at(0),
              HasSubstr("Each value is the mean of 1 to 2 runs;"));
  EXPECT_EQ(report_of_texts({R"([{"Concurrency": 1}])"}).notes.at(0),
            "No file has a value of the metrics.");
}

TEST(a_comparison, has_each_note_on_unread_cells_once) {
  const comparison_report report =
      report_of_texts({"[" + serving_row("12", "1", "1", "1", "\"fast\"") + "]"});
  EXPECT_THAT(report.notes, SizeIs(2));
  EXPECT_THAT(report.notes[1], HasSubstr("1 cell of \"qps\" is no number"));
}

TEST(a_comparison, needs_the_column_of_the_x_axis_in_each_file) {
  const auto files = files_with({example_a(), R"([{"Concurrency": 1}])"});
  try {
    static_cast<void>(compared(files, request_with_x_axis("qps")));
    FAIL() << "accepted";
  } catch (const base::error& e) {
    EXPECT_STREQ(e.what(),
                 "b/benchmark_results.json: the file has no column \"qps\"; choose another column "
                 "with --xaxis");
  }
}

}  // namespace
}  // namespace inferbench::perf
