#include "perf/compare_summary.hpp"

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

std::optional<concurrency_summary> summary_with(const std::vector<std::string>& texts,
                                                const compared_limits& limits = {},
                                                const std::string& x = "# of max concurrency.") {
  const auto files = files_with(texts);
  std::vector<compared_frame> parts;
  for (const metric_role role : metric_roles)
    parts.push_back(frame_of(role, false, files));
  const auto groups = groups_of(parts);
  for (compared_frame& part : parts)
    part = part_of(part, groups.front(), x);
  return summary_of(parts, x, limits);
}

constexpr compared_limits without_slack{
    .ttft_ms = 3000, .tpot_ms = 100, .ttft_slack_percent = 0, .tpot_slack_percent = 0};

TEST(the_summary, gives_the_values_of_the_contracts_example_without_slack) {
  const auto summary = summary_with({example_a()}, without_slack);
  ASSERT_TRUE(summary);
  EXPECT_THAT(
      summary->titles,
      ElementsAre("Configuration", "Max # of max concurrency. (TTFT ≤ 3000 ms)",
                  "Max # of max concurrency. (TPOT ≤ 100 ms)", "Max # of max concurrency. (Both)",
                  "Output Tput @ Both (tok/s)", "TTFT @ Both (ms)", "TPOT @ Both (ms)"));
  ASSERT_EQ(summary->rows.size(), 1U);
  EXPECT_EQ(summary->rows[0].configuration, "a");
  EXPECT_THAT(cells_of(summary->rows[0]), ElementsAre(24, 12, 12, 128, 1000, 90));
  EXPECT_EQ(summary->rows[0].unbroken, 12);
  EXPECT_THAT(summary->notes, IsEmpty());
}

TEST(the_summary, accepts_values_within_the_slack) {
  const auto summary = summary_with({example_a(), example_b()});
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->titles[1], "Max # of max concurrency. (TTFT ≤ 3000–3150 ms (+5%))");
  EXPECT_EQ(summary->titles[2], "Max # of max concurrency. (TPOT ≤ 100–105 ms (+5%))");
  ASSERT_EQ(summary->rows.size(), 2U);
  EXPECT_THAT(cells_of(summary->rows[0]), ElementsAre(24, 16, 16, 150, 1500, 105));
  EXPECT_THAT(cells_of(summary->rows[1]), ElementsAre(24, 24, 24, 320, 1250, 60));
}

TEST(the_summary, leaves_cells_empty_where_no_level_passes) {
  compared_limits strict = without_slack;
  strict.ttft_ms = 999;
  const auto summary = summary_with({example_a()}, strict);
  ASSERT_TRUE(summary);
  EXPECT_THAT(cells_of(summary->rows[0]), ElementsAre(std::nullopt, 12, std::nullopt, std::nullopt,
                                                      std::nullopt, std::nullopt));
}

TEST(the_summary, takes_the_largest_passing_level_and_notes_a_smaller_one_that_failed) {
  const auto summary = summary_with({"[" + serving_row("12", "1", "1", "1") + "," +
                                     serving_row("16", "2", "9000", "1") + "," +
                                     serving_row("24", "3", "1", "1") + "]"});
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->rows[0].both, 24);
  EXPECT_EQ(summary->rows[0].unbroken, 12);
  EXPECT_THAT(summary->notes,
              ElementsAre("a: at # of max concurrency. 24 or at a smaller level a value did not "
                          "pass; the largest level that passed both limits, as did each smaller "
                          "level, is 12"));
}

TEST(the_summary, notes_that_the_smaller_maximum_was_not_measured_to_pass) {
  // TTFT passes at 24 only and TPOT at 12 only, so the minimum 12 passes one limit.
  const auto summary = summary_with(
      {"[" + serving_row("12", "1", "9000", "1") + "," + serving_row("24", "3", "1", "900") + "]"});
  ASSERT_TRUE(summary);
  EXPECT_THAT(cells_of(summary->rows[0]), ElementsAre(24, 12, 12, 1, 9000, 1));
  EXPECT_EQ(summary->rows[0].unbroken, std::nullopt);
  ASSERT_EQ(summary->notes.size(), 1U);
  EXPECT_THAT(summary->notes[0], HasSubstr("the smallest level did not pass"));
}

TEST(the_summary, skips_levels_that_a_file_did_not_measure) {
  const auto summary = summary_with(
      {"[" + serving_row("12", "1", "1", "1") + "]", "[" + serving_row("24", "1", "1", "1") + "]"});
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->rows[0].unbroken, 12);
  EXPECT_EQ(summary->rows[1].unbroken, 24);
  EXPECT_THAT(summary->notes, IsEmpty());
}

TEST(the_summary, takes_the_first_of_several_rows_with_the_same_concurrency) {
  const auto summary = summary_with({"[" + serving_row("12", "7", "2", "2", "1") + "," +
                                     serving_row("12", "8", "1", "1", "5") + "]"});
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->rows[0].throughput_at, 7);
  EXPECT_EQ(summary->rows[0].ttft_at, 2);
}

TEST(the_summary, counts_the_x_axis_if_it_is_a_number) {
  const auto by_rate = summary_with({example_a()}, {}, "qps");
  ASSERT_TRUE(by_rate);
  EXPECT_EQ(by_rate->titles[3], "Max qps (Both)");
  const auto by_model = summary_with({example_a()}, {}, "Model");
  ASSERT_TRUE(by_model);
  EXPECT_EQ(by_model->titles[3], "Max # of max concurrency. (Both)");
  EXPECT_EQ(by_model->rows[0].both, 16);
}

TEST(the_summary, is_absent_without_a_latency) {
  EXPECT_FALSE(summary_with({R"j([{"Concurrency": 4, "P99": null, "Output Tput (tok/s)": 4}])j"}));
}

}  // namespace
}  // namespace inferbench::perf
