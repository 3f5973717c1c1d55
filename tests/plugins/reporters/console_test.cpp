// Compares the output of the reporter `console` with golden files.
#include <cstddef>
#include <cstdint>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driver.hpp"
#include "framework/metrics/record_of.hpp"

namespace inferbench::reporters_test {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

TEST(console, the_stamps_of_events_are_not_asked_for) {
  EXPECT_FALSE(report_with("console", {}, plain_run()).stamps);
}

TEST(console, a_plain_run_is_reported_as_upstream_does_and_ours_follows) {
  const outcome o = report_with("console", {}, plain_run());
  EXPECT_TRUE(o.ok);
  EXPECT_EQ(o.printed, golden("plain.txt"));
  EXPECT_THAT(o.lines, IsEmpty());
}

TEST(console, failures_cap_rate_goodput_and_every_section_stand_where_upstream_puts_them) {
  EXPECT_EQ(report_with("console", {}, strained_run()).printed, golden("strained.txt"));
}

TEST(console, plots_in_letters_stand_between_the_failures_and_the_report) {
  const std::string without = report_with("console", {}, full_run()).printed;
  const std::string with = report_with("console", {{"plots", true}}, full_run()).printed;
  const std::size_t at = without.find("=== Serving");
  const std::size_t title = without.rfind('\n', at) + 1;
  EXPECT_EQ(with.substr(0, title), without.substr(0, title));
  ASSERT_THAT(with, EndsWith(without.substr(title)));
  expect_golden(with.substr(title, with.size() - without.size()), "plots.txt");
}

TEST(console, plots_show_the_largest_second_if_there_are_more_seconds_than_columns) {
  input in = plain_run();
  for (std::uint64_t i = 1; i < 100; ++i)
    in.records.push_back(metrics::testing_::success({i + 2,
                                                     0,
                                                     3000.0 * static_cast<double>(i),
                                                     {3000.0 * static_cast<double>(i) + 100},
                                                     3000.0 * static_cast<double>(i) + 100,
                                                     10,
                                                     1}));
  const std::string printed = report_with("console", {{"plots", true}}, in).printed;
  EXPECT_THAT(printed, HasSubstr("Output tokens per second (most: 5)\n"));
  EXPECT_THAT(printed, HasSubstr("\nConcurrent requests per second (most: 2)\n"));
  EXPECT_THAT(printed, HasSubstr(" 300 s\n")) << "298 s, in values of 4 s each";
}

TEST(console, plots_have_the_seconds_after_the_last_success_too) {
  input in = plain_run();
  in.run.duration_s = 9.5;
  EXPECT_THAT(report_with("console", {{"plots", true}}, in).printed, HasSubstr(" 10 s\n"));
}

TEST(console, runs_without_a_second_have_no_plots) {
  for (const input& in : {pooling_run(), hopeless_run()})
    EXPECT_EQ(report_with("console", {{"plots", true}}, in).printed,
              report_with("console", {}, in).printed);
}

TEST(console, a_pooling_run_has_its_own_lines) {
  EXPECT_EQ(report_with("console", {}, pooling_run()).printed, golden("pooling.txt"));
}

TEST(console, everything_that_a_run_can_have_stands_in_upstreams_order) {
  expect_golden(report_with("console", {}, full_run()).printed, "full.txt");
}

TEST(console, without_a_tokenizer_the_report_is_shorter) {
  input in = full_run();
  in.run.tokenizer = false;
  in.resolved.replace(in.resolved.find("\"tok\""), 5, "null");
  expect_golden(report_with("console", {}, in).printed, "no_tokenizer.txt");
}

TEST(console, a_ramp_up_with_a_cap_has_a_steady_state_and_no_rate) {
  expect_golden(report_with("console", {}, closed_run()).printed, "closed.txt");
}

TEST(console, a_traffic_pattern_is_named_where_a_rate_would_be) {
  input in = plain_run();
  in.resolved.insert(1, R"("traffic": "steps:0s=10,30s=50", )");
  EXPECT_THAT(report_with("console", {}, in).printed,
              HasSubstr("\nTraffic pattern:                         steps:0s=10,30s=50\n"
                        "Benchmark duration (s):"));
}

TEST(console, a_pooling_run_has_a_steady_state_without_tokens) {
  expect_golden(report_with("console", {}, pooling_closed_run()).printed, "pooling_closed.txt");
}

TEST(console, diffusion_takes_the_place_of_speculative_decoding) {
  const std::string text = report_with("console", {}, diffusing_run()).printed;
  expect_golden(text, "diffusing.txt");
  EXPECT_THAT(text, Not(HasSubstr("Speculative")));
}

TEST(console, probes_of_which_none_succeeded_are_not_reported) {
  input in = plain_run();
  in.run.beside = {{metrics::metric::probe_completed, 0}, {metrics::metric::probe_failed, 7}};
  EXPECT_EQ(report_with("console", {}, in).printed, golden("plain.txt"));
}

TEST(console, positions_are_left_out_if_the_server_has_none) {
  input in = full_run();
  in.run.set_fact("spec_decode", R"({"per_position_acceptance_rates": []})");
  EXPECT_THAT(report_with("console", {}, in).printed, Not(HasSubstr("Per-position")));
}

TEST(console, the_multi_turn_block_stands_between_upstreams_report_and_ours) {
  const std::string without = report_with("console", {{"ours", false}}, multi_turn_run("")).printed;
  const std::string only_theirs =
      report_with("console", {{"ours", false}}, multi_turn_run()).printed;
  const std::string all = report_with("console", {}, multi_turn_run()).printed;
  ASSERT_THAT(only_theirs, StartsWith(without));
  expect_golden(only_theirs.substr(without.size()), "multi_turn.txt");
  EXPECT_THAT(all, StartsWith(only_theirs + "Planned = "));
  EXPECT_THAT(without, Not(HasSubstr("Multi-Turn")));
}

TEST(console, the_last_section_of_turns_has_the_later_turns_too) {
  input in = multi_turn_run();
  in.records[2].turn = 31;
  in.records[3].turn = 40;
  EXPECT_THAT(report_with("console", {}, in).printed,
              HasSubstr("\n-------------- Turn 32 and later (2 samples) ---------------\n"));
}

TEST(console, the_reason_for_a_missing_steady_state_is_printed) {
  input in = closed_run();
  in.run.max_concurrency = 32;
  EXPECT_THAT(report_with("console", {}, in).printed,
              HasSubstr("\nSteady state:                            none: 31 requests at once, "
                        "0.95 of the 32 of --max-concurrency, were never reached; the most were 2"
                        "\n"));
  in.run.bounded = true;
  EXPECT_THAT(report_with("console", {}, in).printed,
              HasSubstr("\nSteady state:                            none: it needs the start and "
                        "end of every request; use --summary exact\n"));
  in.run.steady_state.wanted = false;
  EXPECT_THAT(report_with("console", {}, in).printed, Not(HasSubstr("Steady state")));
}

TEST(console, a_run_without_success_is_reported_and_warned_about) {
  const outcome o = report_with("console", {}, hopeless_run());
  EXPECT_EQ(o.printed, golden("hopeless.txt"));
  EXPECT_THAT(o.lines, ElementsAre(HasSubstr("no request succeeded")));
}

TEST(console, without_a_tokenizer_token_figures_are_left_out) {
  input in = plain_run();
  in.run.tokenizer = false;
  in.run.selected = {"ttft", "e2el"};
  in.resolved = R"({"backend": "openai", "tokenizer_id": null, "task": "generation"})";
  const std::string text = report_with("console", {{"ours", false}}, in).printed;
  for (const char* absent : {"Total generated tokens", "Output token throughput",
                             "Total token throughput", "Time to First Token"})
    EXPECT_THAT(text, Not(HasSubstr(absent)));
  EXPECT_THAT(text, HasSubstr("----------------End-to-end Latency----------------"));
  EXPECT_THAT(text, HasSubstr("Peak concurrent requests:"));
}

TEST(console, audio_has_its_real_time_factor) {
  input in = plain_run();
  in.records[0].attributes = {{"input_audio_duration", "7"}};
  EXPECT_THAT(report_with("console", {}, in).printed,
              HasSubstr("\nRTFx (Inverse Real-Time Factor):         4.00      \n"));
}

TEST(console, text_of_a_server_cannot_move_the_cursor) {
  input in = hopeless_run();
  in.records[0].error = "red \x1B[31m text\r\nand\x07 more";
  EXPECT_THAT(report_with("console", {}, in).printed,
              StartsWith("Failed requests during benchmark run detected (capping to 10):\n"
                         "Error 0: red  [31m text  and  more\n"));
  // The C1 controls: U+009B has the meaning of Escape and "["; the single byte is not valid UTF-8.
  in.records[0].error = "red \xC2\x9B 31m \x9B 1m \xC3\xA9\xE4\xB8\xAD";
  EXPECT_THAT(report_with("console", {}, in).printed,
              HasSubstr("\nError 0: red   31m \xEF\xBF\xBD 1m \xC3\xA9\xE4\xB8\xAD\n"));
}

TEST(console, a_run_without_records_is_a_report_of_zeros) {
  input in = plain_run();
  in.records.clear();
  EXPECT_THAT(report_with("console", {}, in).printed,
              HasSubstr("Successful requests:                     0         \n"));
}

TEST(console, reads_a_configuration_of_any_depth) {
  input in = plain_run();
  constexpr std::size_t depth = 200'000;
  in.plan = R"("x": )" + std::string(depth, '[') + std::string(depth, ']') + ", ";
  EXPECT_THAT(report_with("console", {}, in).printed, HasSubstr("\nSuccessful requests:"));
}

}  // namespace
}  // namespace inferbench::reporters_test
