// Tests our own lines of the reporter `console`, which follow upstream's report: bursts, goals,
// certainty, the steady part, the cost of plugins, and observed pages.
#include <cstddef>
#include <cstdint>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driver.hpp"

namespace inferbench::reporters_test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(console, ours_can_be_left_out) {
  const outcome o = report_with("console", {{"ours", false}}, plain_run());
  EXPECT_THAT(o.printed, EndsWith("\n" + std::string(50, '=') + "\n"));
  EXPECT_THAT(golden("plain.txt"), StartsWith(o.printed));
}

TEST(console, a_burst_says_how_long_it_took_to_leave) {
  const auto shown = [](std::uint64_t requests, const std::string& seconds) {
    input in = hopeless_run();
    in.run.set_fact("burst", R"({"requests": )" + std::to_string(requests) + R"(, "seconds": )" +
                                 seconds + "}");
    const std::string text = report_with("console", {}, in).printed;
    const std::size_t at = text.find("\nBurst:") + 1;
    return text.substr(at, text.find('\n', at) - at);
  };
  EXPECT_EQ(shown(1000, "0.0262"),
            "Burst:                                   1,000 requests left in 26 ms");
  EXPECT_EQ(shown(1234567, "1.25"),
            "Burst:                                   1,234,567 requests left in 1.25 s");
  EXPECT_EQ(shown(32, "0.000314"),
            "Burst:                                   32 requests left in 0.31 ms");
}

TEST(console, goals_stand_at_the_end_with_the_size_of_their_sample) {
  input in = plain_run();
  in.run.set_fact("thresholds", R"([
      {"goal": "ttft.p99<200ms", "unit": "ms", "value": 183.2, "passed": true, "certain": true,
       "count": 1000, "effective_count": 960.7, "reason": null},
      {"goal": "failed<=1%", "unit": "%", "value": 2, "passed": false, "certain": false,
       "count": 50, "effective_count": 12, "reason": "12 are\u001b too few"},
      {"goal": "completed>=9", "unit": "1", "value": 9, "passed": true, "certain": false, "count": 1},
      {"goal": "rtfx>1", "unit": "1", "value": null, "passed": false, "reason": "not there"}, 7])");
  EXPECT_THAT(report_with("console", {}, in).printed,
              EndsWith("\nGoal ttft.p99<200ms:                     passed, 183.20 ms, certain (n "
                       "1000, effective 960)\n"
                       "Goal failed<=1%:                         FAILED, 2 %, not certain (n 50, "
                       "effective 12): 12 are  too few\n"
                       "Goal completed>=9:                       passed, 9, not certain (n 1)\n"
                       "Goal rtfx>1:                             FAILED: not there\n"));
}

TEST(console, a_goal_that_is_not_certain_fails_if_the_user_demands_certainty) {
  input in = plain_run();
  in.resolved.insert(1, R"("thresholds_certain": true, )");
  in.run.set_fact("thresholds", R"([
      {"goal": "ttft.p99<200ms", "unit": "ms", "value": 162.96, "passed": true, "certain": false,
       "count": 101, "effective_count": 101, "reason": "too few"}])");
  EXPECT_THAT(report_with("console", {}, in).printed,
              EndsWith("\nGoal ttft.p99<200ms:                     FAILED: 162.96 ms, not certain, "
                       "and --threshold-certain is given (n 101, effective 101): too few\n"));
}

TEST(console, a_percentile_that_the_sample_does_not_bound_is_marked) {
  input in = plain_run();
  const auto certainty = [&](const std::string& bound) {
    in.run.set_fact("certainty", R"({"confidence": 0.99, "figures": {"ttft_from_due": {
        "percentiles": [{"percentile": 99, "bound": )" +
                                     bound + "}]}}}");
    return report_with("console", {}, in).printed;
  };
  const std::string unknown = certainty("null");
  EXPECT_THAT(unknown, HasSubstr(" / ~"));
  EXPECT_THAT(unknown,
              HasSubstr("\n~ too few independent values:            the true P99 may be "));
  EXPECT_THAT(certainty("500.0"), Not(HasSubstr("~")));
}

TEST(console, the_steady_part_or_the_reason_why_there_is_none_has_a_line) {
  input in = plain_run();
  in.run.set_fact("steady", R"({"method": "MSER-5", "found": true, "begin_s": 1.836, "end_s": 29.5,
      "requests": 2809, "reason": null, "figures": {"request_throughput": 101.607}})");
  EXPECT_THAT(report_with("console", {}, in).printed,
              HasSubstr("\nSteady by MSER-5:                        1.84 s to 29.50 s, 2809 "
                        "requests, 101.61 req/s\n"));
  in.run.set_fact("steady", R"({"method": "MSER-5", "found": false, "reason": "too\r few"})");
  EXPECT_THAT(report_with("console", {}, in).printed,
              HasSubstr("\nSteady by MSER-5:                        not found: too  few\n"));
  for (const char* json : {"7", "{}", R"({"found": 1})"}) {
    in.run.set_fact("steady", json);
    EXPECT_THAT(report_with("console", {}, in).printed, Not(HasSubstr("Steady by"))) << json;
  }
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

TEST(console, each_observed_page_has_a_line_with_mean_and_maximum) {
  input in = hopeless_run();
  const std::string without = report_with("console", {}, in).printed;
  in.run.set_fact("series", R"({"interval_s": 1.0, "sources": [
      {"url": "http://127.0.0.1:8000/metrics", "server": "vllm", "scrapes": 4, "failed": 1,
       "first_error": "HTTP 503", "series": [
         {"name": "running", "combined": "sum", "values": [2, null, 4]},
         {"name": "waiting", "combined": "sum", "values": [0, null, 0.5]},
         {"name": "kv_cache_usage", "combined": "mean", "values": [0.1, null, 0.3]},
         {"name": "preemptions", "values": [1]}]},
      {"url": "http://gpu:9400/metrics", "server": "dcgm", "scrapes": 3, "failed": 0,
       "series": [{"name": "power_w", "values": [600, 700.4]}]},
      {"url": "http://a/b", "server": "", "scrapes": 2, "failed": 0, "series": [{"name": "x"}]},
      {"url": "http://gone/metrics", "server": "", "scrapes": 2, "failed": 2,
       "first_error": "no\nanswer"},
      {"url": "http://never/metrics", "scrapes": 0}, 7, {}]})");
  const std::string text = report_with("console", {}, in).printed;
  for (const char* line :
       {"Observed vllm 127.0.0.1:8000:            running 3.0 (4.0), waiting 0.2 (0.5), KV cache "
        "20.0 % (30.0 %); 1 of 4 readings failed\n",
        "Observed dcgm gpu:9400:                  power 650 W (700 W)\n",
        "Observed a/b:                            1 series\n",
        "Observed gone:                           no reading succeeded: no answer\n"})
    EXPECT_THAT(text, HasSubstr(line));
  EXPECT_THAT(text, Not(HasSubstr("//never")));
  EXPECT_THAT(text, Not(HasSubstr("Observed never")));
  for (const char* json :
       {R"([])", R"({"sources": 7})", R"({"sources": [[], null, {"scrapes": "x"}]})"}) {
    in.run.set_fact("series", json);
    EXPECT_EQ(report_with("console", {}, in).printed, without) << json;
  }
}

TEST(console, a_bounded_run_has_no_exact_peak) {
  input in = plain_run();
  in.run.bounded = true;
  const std::string text = report_with("console", {}, in).printed;
  EXPECT_THAT(text, Not(HasSubstr("Peak concurrency, exact")));
  EXPECT_THAT(text, HasSubstr("Mean TTFT (ms):                          199.92    \n"));
}

}  // namespace
}  // namespace inferbench::reporters_test
