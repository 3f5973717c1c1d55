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

TEST(console, positions_are_left_out_where_the_server_has_none) {
  input in = full_run();
  in.run.set_fact("spec_decode", R"({"per_position_acceptance_rates": []})");
  EXPECT_THAT(report_with("console", {}, in).printed, Not(HasSubstr("Per-position")));
}

TEST(console, why_there_is_no_steady_state_is_told) {
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
  EXPECT_THAT(report_with("console", {}, in).printed, Not(HasSubstr("Steady")));
}

TEST(console, a_run_without_success_is_reported_and_warned_about) {
  const outcome o = report_with("console", {}, hopeless_run());
  EXPECT_EQ(o.printed, golden("hopeless.txt"));
  EXPECT_THAT(o.lines, ElementsAre(HasSubstr("no request succeeded")));
}

/// As metrics::to_json() writes it, as far as it is printed.
std::string client_json(const std::string& verdict, const std::string& reasons) {
  return R"({"verdict": ")" + verdict + R"(", "reasons": [)" + reasons +
         R"(], "limits": [{"name": "loop_lag_p99_ms", "figure": 3.1, "suspect": 0.5, "invalid": 5},
             {"name": "cpu_busiest_second", "figure": 0.955, "suspect": 0.9, "invalid": 0.98},
             {"name": "cpu", "figure": 0.4, "suspect": 0.9, "invalid": 0.98}]})";
}

TEST(console, a_client_that_kept_up_says_so_in_a_word) {
  input in = plain_run();
  in.run.set_fact("client", client_json("VALID", ""));
  const std::string text = report_with("console", {}, in).printed;
  EXPECT_THAT(text, EndsWith("\nClient's loop lag, P99 (ms):             3.100\n"
                             "Busiest client thread (% of a core):     95.5\n"
                             "Client:                                  VALID\n"));
}

TEST(console, a_client_that_did_not_tells_why_and_how_far_off_it_is) {
  input in = strained_run();
  in.run.set_fact(
      "client",
      client_json(
          "INVALID",
          R"("1 connection could not be made for want of ports or descriptors of this machine (limit none): raise it",
         "the client's event loop was busy for 3.1 ms at P99 (limit 0.5 ms): use more --workers")"));
  in.run.set_fact("calibration",
                  R"({"streams": 64, "ttft_error_ms": {"mean": 0.0312, "p50": 0.03, "p99": 0.11},
          "itl_error_ms": {"mean": -0.001, "p50": 0, "p99": 0.0849},
          "e2el_error_ms": {"mean": 0.04, "p50": 0.04, "p99": 1.25}})");
  EXPECT_EQ(report_with("console", {}, in).printed, golden("invalid_client.txt"));
}

TEST(console, each_plugin_has_its_cost) {
  input in = plain_run();
  in.run.set_fact("plugin_cost", R"([
      {"kind": "backend", "id": "openai", "ns_per_request": 2104, "ns_per_event": 84.6, "calls": {}},
      {"kind": "dataset", "id": "custom", "ns_per_row": 3500000},
      {"kind": "reporter", "id": "json", "ns_per_record": 80},
      {"kind": "tokenizer", "id": "hf", "ns_per_kb": 9876}, {"kind": "reporter", "id": "none"}, 7])");
  EXPECT_THAT(
      report_with("console", {}, in).printed,
      EndsWith("\nCost of backend openai:                  2.10 us per request, 85 ns per event\n"
               "Cost of dataset custom:                  3.50 ms per row\n"
               "Cost of reporter json:                   80 ns per record\n"
               "Cost of tokenizer hf:                    9.88 us per KB of text\n"));
}

TEST(console, what_a_journal_says_about_the_client_is_not_believed_blindly) {
  input in = plain_run();
  const std::string without = report_with("console", {}, in).printed;
  for (const char* json :
       {R"({})", R"({"verdict": [7]})", R"({"limits": 7})", R"({"limits": [7, {}, {"name": 3}]})",
        R"({"limits": [{"name": "loop_lag_p99_ms"}, {"name": "cpu", "figure": "x"}]})"}) {
    in.run.set_fact("client", json);
    in.run.set_fact("calibration", json);
    EXPECT_EQ(report_with("console", {}, in).printed, without) << json;
  }
  in.run.set_fact("client", R"({"verdict": "OK\u001b[2J", "reasons": ["a\r\nb", 7, null]})");
  in.run.set_fact("calibration", R"({"ttft_error_ms": {"p50": "x", "p99": 1}, "itl_error_ms": 5})");
  EXPECT_EQ(report_with("console", {}, in).printed,
            without + "TTFT error, mean / P50 / P99 (ms):       - / - / 1.000\n" +
                "ITL error, mean / P50 / P99 (ms):        - / - / -\n" +
                "Client:                                  OK [2J\n  a  b\n  7\n  \n");
}

TEST(console, a_bounded_run_has_no_exact_peak) {
  input in = plain_run();
  in.run.bounded = true;
  const std::string text = report_with("console", {}, in).printed;
  EXPECT_THAT(text, Not(HasSubstr("Peak concurrency, exact")));
  EXPECT_THAT(text, HasSubstr("Mean TTFT (ms):                          199.92    \n"));
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

TEST(console, reads_a_configuration_of_any_depth) {
  input in = plain_run();
  constexpr std::size_t depth = 200'000;
  in.plan = R"("x": )" + std::string(depth, '[') + std::string(depth, ']') + ", ";
  EXPECT_THAT(report_with("console", {}, in).printed, HasSubstr("\nSuccessful requests:"));
}

}  // namespace
}  // namespace inferbench::reporters_test
