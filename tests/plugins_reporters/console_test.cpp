// The reporter `console` against golden texts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driver.hpp"

namespace inferbench::reporters_test {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

TEST(console, a_plain_run_is_reported_as_upstream_does_and_ours_follows) {
  const outcome o = report_with("console", {}, plain_run());
  EXPECT_TRUE(o.ok);
  EXPECT_EQ(o.printed, golden("plain.txt"));
  EXPECT_THAT(o.lines, IsEmpty());
}

TEST(console, failures_cap_rate_goodput_and_every_section_stand_where_upstream_puts_them) {
  EXPECT_EQ(report_with("console", {}, strained_run()).printed, golden("strained.txt"));
}

TEST(console, a_pooling_run_has_its_own_lines) {
  EXPECT_EQ(report_with("console", {}, pooling_run()).printed, golden("pooling.txt"));
}

TEST(console, a_run_without_success_is_reported_and_warned_about) {
  const outcome o = report_with("console", {}, hopeless_run());
  EXPECT_EQ(o.printed, golden("hopeless.txt"));
  EXPECT_THAT(o.lines, ElementsAre(HasSubstr("no request succeeded")));
}

TEST(console, ours_can_be_left_out) {
  const outcome o = report_with("console", {{"ours", false}}, plain_run());
  EXPECT_THAT(o.printed, EndsWith("\n" + std::string(50, '=') + "\n"));
  EXPECT_THAT(golden("plain.txt"), StartsWith(o.printed));
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

TEST(console, what_a_server_wrote_cannot_move_the_cursor) {
  input in = hopeless_run();
  in.records[0].error = "red \x1B[31m text\r\nand\x07 more";
  EXPECT_THAT(report_with("console", {}, in).printed,
              StartsWith("Failed requests during benchmark run detected (capping to 10):\n"
                         "Error 0: red  [31m text  and  more\n"));
  // The second set of controls: U+009B is Escape and [ in one; bare, it is no UTF-8.
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

}  // namespace
}  // namespace inferbench::reporters_test
