#include "perf/compare_frame.hpp"

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/perf/compare_files.hpp"

namespace inferbench::perf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::optional<double> value_in_frame(const compared_frame& frame, std::size_t row,
                                     std::size_t file) {
  return frame.rows.at(row).entries.at(file).value;
}

TEST(the_metrics, have_the_titles_of_the_converter) {
  EXPECT_EQ(metric_title(metric_role::throughput, true), "Output Tput (tok/s)");
  EXPECT_EQ(metric_title(metric_role::ttft, false), "P99 TTFT (ms)");
  EXPECT_EQ(metric_title(metric_role::ttft, true), "Median TTFT (ms)");
  EXPECT_EQ(metric_title(metric_role::tpot, false), "P99");
  EXPECT_EQ(metric_title(metric_role::tpot, true), "Median");
}

TEST(a_frame, aligns_the_rows_of_all_files_by_their_key) {
  const auto files = files_with(
      {"[" + serving_row("16", "100", "9", "9") + "," + serving_row("12", "80", "8", "8") + "]",
       "[" + serving_row("24", "200", "7", "7") + "," + serving_row("12", "160", "4", "2") + "]"});
  const compared_frame frame = frame_of(metric_role::throughput, false, files);
  EXPECT_THAT(frame.key_columns, ElementsAre("Model", "Dataset Name", "Input Len", "Output Len",
                                             "# of max concurrency.", "qps"));
  EXPECT_EQ(frame.groups, 4U);
  EXPECT_THAT(frame.labels, ElementsAre("a", "b"));
  ASSERT_EQ(frame.rows.size(), 3U);
  EXPECT_THAT(frame.rows[0].key,
              ElementsAre(compared_cell("org/model"), compared_cell("random"), compared_cell(128.0),
                          compared_cell(128.0), compared_cell(12.0),
                          compared_cell(std::numeric_limits<double>::infinity())));
  EXPECT_EQ(value_in_frame(frame, 0, 0), 80);
  EXPECT_EQ(value_in_frame(frame, 0, 1), 160);
  EXPECT_EQ(value_in_frame(frame, 1, 0), 100);
  EXPECT_EQ(value_in_frame(frame, 1, 1), std::nullopt);
  EXPECT_EQ(value_in_frame(frame, 2, 0), std::nullopt);
  EXPECT_EQ(value_in_frame(frame, 2, 1), 200);
  EXPECT_EQ(frame.rows[1].entries[1].averaged, 0U);
  EXPECT_THAT(frame.notes, IsEmpty());
}

TEST(a_ratio, is_above_1_where_the_file_is_better_than_the_base) {
  const auto files = files_with({"[" + serving_row("12", "80", "8", "8") + "]",
                                 "[" + serving_row("12", "160", "4", "2") + "]"});
  for (const auto& [role, wanted] :
       {std::pair{metric_role::throughput, 2.0}, std::pair{metric_role::ttft, 2.0},
        std::pair{metric_role::tpot, 4.0}}) {
    const compared_frame frame = frame_of(role, false, files);
    EXPECT_EQ(frame.ratio(frame.rows[0], 1), wanted);
  }
}

TEST(a_ratio, is_missing_without_both_values_and_for_a_base_of_0) {
  const auto files = files_with(
      {"[" + serving_row("1", "0", "0", "0") + "," + serving_row("2", "5", "5", "5") + "," +
           serving_row("3", "5", "5", "5") + "]",
       "[" + serving_row("1", "5", "5", "5") + "," + serving_row("3", "0", "0", "0") + "]"});
  const compared_frame latency = frame_of(metric_role::ttft, false, files);
  EXPECT_EQ(latency.ratio(latency.rows[0], 1), std::nullopt);
  EXPECT_EQ(latency.ratio(latency.rows[1], 1), std::nullopt);
  EXPECT_EQ(latency.ratio(latency.rows[2], 1), std::numeric_limits<double>::infinity());
  const compared_frame throughput = frame_of(metric_role::throughput, false, files);
  EXPECT_EQ(throughput.ratio(throughput.rows[0], 1), std::nullopt);
  EXPECT_EQ(throughput.ratio(throughput.rows[2], 1), 0);
}

TEST(a_frame, averages_the_rows_of_a_file_with_the_same_key) {
  const auto files = files_with(
      {"[" + serving_row("12", "80", "8", "8") + "," + serving_row("12.0", "90", "null", "9") +
       "," + serving_row("\" 12 \"", "\"100\"", "NaN", "10", "Infinity") + "]"});
  const compared_frame throughput = frame_of(metric_role::throughput, false, files);
  ASSERT_EQ(throughput.rows.size(), 1U);
  EXPECT_EQ(value_in_frame(throughput, 0, 0), 90);
  EXPECT_EQ(throughput.rows[0].entries[0].averaged, 3U);
  EXPECT_EQ(throughput.rows[0].entries[0].name, "serving_org_tp1_random_128_128");
  const compared_frame ttft = frame_of(metric_role::ttft, false, files);
  EXPECT_EQ(value_in_frame(ttft, 0, 0), 8);
  EXPECT_EQ(ttft.rows[0].entries[0].averaged, 1U);
}

TEST(a_frame, counts_text_in_number_cells_as_missing_and_says_so) {
  const auto files = files_with({"[" + serving_row("12", "\"quick\"", "true", "8") + "," +
                                 serving_row("\"many\"", "[1]", "7", "9") + "]"});
  const compared_frame throughput = frame_of(metric_role::throughput, false, files);
  ASSERT_EQ(throughput.rows.size(), 2U);
  EXPECT_EQ(throughput.rows[1].key[4], compared_cell());
  EXPECT_EQ(value_in_frame(throughput, 0, 0), std::nullopt);
  EXPECT_THAT(
      throughput.notes,
      ElementsAre("a/benchmark_results.json: 1 cell of \"# of max concurrency.\" is no number and "
                  "counts as missing",
                  "a/benchmark_results.json: 2 cells of \"Output Tput (tok/s)\" are no number and "
                  "count as missing"));
}

TEST(a_mean, of_opposite_infinities_is_missing) {
  const auto files = files_with({"[" + serving_row("12", "Infinity", "1", "8") + "," +
                                 serving_row("12", "-Infinity", "7", "9") + "]"});
  EXPECT_EQ(value_in_frame(frame_of(metric_role::throughput, false, files), 0, 0), std::nullopt);
}

TEST(the_key, has_only_the_columns_that_all_files_have) {
  const auto files = files_with({R"([{"Model": "m", "Concurrency": 1, "qps": 2, "P99": 4}])",
                                 R"([{"Model": "m", "max_concurrency": 1, "P99": 2}])"});
  const compared_frame frame = frame_of(metric_role::tpot, false, files);
  EXPECT_THAT(frame.key_columns, ElementsAre("Model", "# of max concurrency."));
  EXPECT_EQ(frame.groups, 1U);
  EXPECT_EQ(frame.ratio(frame.rows.at(0), 1), 2);
}

TEST(rows_without_a_p99_cell, stay_in_the_throughput_and_leave_the_latencies) {
  const std::string latency = R"j(,{"Test name": "latency_x", "P99 latency (ms)": 5, "P99": NaN},)j"
                              R"j({"Test name": "throughput_x", "Tput (tok/s)": 5}])j";
  const auto files = files_with({"[" + serving_row("12", "80", "8", "8") + latency});
  const compared_frame throughput = frame_of(metric_role::throughput, false, files);
  ASSERT_EQ(throughput.rows.size(), 2U);
  EXPECT_THAT(throughput.rows[1].key, ::testing::Each(compared_cell()));
  EXPECT_EQ(frame_of(metric_role::ttft, false, files).rows.size(), 1U);
  EXPECT_EQ(frame_of(metric_role::tpot, true, files).rows.size(), 1U);
}

TEST(a_file_without_the_column_of_a_metric, has_empty_cells_and_a_note) {
  const auto files = files_with({R"([{"Concurrency": 1, "Median": 4}])"});
  const compared_frame frame = frame_of(metric_role::ttft, true, files);
  EXPECT_EQ(value_in_frame(frame, 0, 0), std::nullopt);
  EXPECT_THAT(frame.notes,
              ElementsAre("a/benchmark_results.json has no column \"Median TTFT (ms)\""));
  EXPECT_EQ(value_in_frame(frame_of(metric_role::tpot, true, files), 0, 0), 4);
}

TEST(the_groups, are_in_ascending_order_with_missing_values_last) {
  const auto files = files_with(
      {R"([{"Model": null, "Input Len": 1, "Concurrency": 1}, {"Model": "b", "Input Len": 1},
           {"Model": "a", "Input Len": 2048}, {"Model": "a", "Input Len": 128},
           {"Model": 7, "Input Len": 1}, {"Model": "a"}])"});
  const std::vector<compared_frame> frames{frame_of(metric_role::throughput, false, files)};
  std::string all;
  for (const auto& key : groups_of(frames)) {
    for (const compared_cell& cell : key)
      all += text_of_cell(cell) + " ";
    all += "|";
  }
  EXPECT_EQ(all, "7 1 |a 128 |a 2048 |a nan |b 1 |nan 1 |");
}

TEST(a_part, has_the_rows_of_its_group_in_the_order_of_the_x_axis) {
  const auto files = files_with({"[" + serving_row("12", "1", "1", "1", "9") + "," +
                                 serving_row("16", "2", "1", "1", "3") + "," +
                                 serving_row("24", "3", "1", "1", "NaN") + "," +
                                 R"j({"Model": "z", "Output Tput (tok/s)": 4}])j"});
  const compared_frame frame = frame_of(metric_role::throughput, false, files);
  const auto groups = groups_of(std::vector{frame});
  ASSERT_EQ(groups.size(), 2U);
  const compared_frame part = part_of(frame, groups[0], "qps");
  ASSERT_EQ(part.rows.size(), 3U);
  EXPECT_EQ(value_in_frame(part, 0, 0), 2);
  EXPECT_EQ(value_in_frame(part, 1, 0), 1);
  EXPECT_EQ(value_in_frame(part, 2, 0), 3);
  EXPECT_EQ(part_of(frame, groups[1], "qps").rows.size(), 1U);
}

TEST(the_text_of_a_cell, is_whole_where_the_number_is) {
  EXPECT_EQ(text_of_cell(128.0), "128");
  EXPECT_EQ(text_of_cell(0.5), "0.5");
  EXPECT_EQ(text_of_cell(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(text_of_cell(1e300), "1e+300");
  EXPECT_EQ(text_of_cell(std::string("org/model")), "org/model");
  EXPECT_EQ(text_of_cell({}), "nan");
}

}  // namespace
}  // namespace inferbench::perf
