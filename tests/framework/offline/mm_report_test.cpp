#include "offline/mm_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/offline/lines.hpp"
#include "offline/result_file.hpp"
#include "support/golden.hpp"

namespace inferbench::offline {
namespace {

mm_statistics scripted_stages(const std::vector<double>& percentiles) {
  const auto request = [](double processing, double encoding, double calls, double latency) {
    return mm_request{true,
                      {{"apply_hf_processor_secs", processing, true},
                       {"encoder_forward_secs", encoding, true},
                       {"num_encoder_calls", calls, false}},
                      latency};
  };
  return statistics_of({{request(0.012, 0.030, 1, 250), request(0.018, 0.034, 2, 310)}, 0.4},
                       percentiles);
}

std::string mm_file(const std::string& name) {
  return std::string(INFERBENCH_FIXTURES) + "/offline/" + name;
}

TEST(mm_report, the_tables_are_those_of_the_golden_file) {
  support::expect_golden(mm_text(scripted_stages({50, 99.9})), mm_file("mm_processor.txt"));
}

TEST(mm_report, a_run_without_stages_has_the_latencies_only) {
  const std::string text = mm_text(statistics_of(mm_result{}, std::vector<double>{99}));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("MM Processor Metrics")));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("Summary")));
  EXPECT_THAT(text, testing::HasSubstr("P99.0         0.00\n"));
}

TEST(mm_report, the_file_has_the_members_of_upstream) {
  const mm_processor_options options = mm_processor_options_of(
      line_of({"--model", "m", "--random-input-len", "300"}, benchmark::mm_processor));
  support::expect_golden(
      result_text(mm_json(scripted_stages({99}), options, "2026-11-25T14:07:20.123456"), 2),
      mm_file("mm_processor.json"));
}

TEST(mm_report, a_name_of_a_stage_cannot_break_a_line) {
  const mm_statistics found =
      statistics_of({{{true, {{"a\nb\x1B[2J", 1, false}}, 1.0}}, 1}, std::vector<double>{99});
  EXPECT_THAT(mm_text(found), testing::HasSubstr("a b [2J"));
}

TEST(mm_report, a_time_is_written_as_python_writes_it) {
  using std::chrono::microseconds;
  using std::chrono::system_clock;
  const system_clock::time_point whole{std::chrono::seconds(1'000'000'000)};
  EXPECT_THAT(local_timestamp(whole), testing::MatchesRegex("2001-09-0[89]T[0-9]{2}:[0-9]{2}:40"));
  EXPECT_THAT(local_timestamp(whole + microseconds(42)), testing::EndsWith(":40.000042"));
}

}  // namespace
}  // namespace inferbench::offline
