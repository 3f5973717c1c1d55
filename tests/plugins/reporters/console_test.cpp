// Compares the output of the reporter `console` with golden files.
#include <functional>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driver.hpp"
#include "framework/metrics/record_of.hpp"
#include "metrics/accumulator.hpp"
#include "metrics/health.hpp"

namespace inferbench::reporters_test {
namespace {

using metrics::testing_::late;
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

/// The fact "client" of a run: the error bounds of its records, and the values that `change` sets.
std::string client_of(const input& in,
                      const std::function<void(metrics::client_health&)>& change = {}) {
  metrics::accumulator all(in.run);
  for (client::record r : in.records) {
    std::ignore = metrics::resolve(r, in.run.pooling, {});
    all.add(r);
  }
  metrics::client_health health;
  health.bounds = all.bounds(in.run);
  if (change) change(health);
  return metrics::to_json(health, metrics::judge(health));
}

/// Delays every request: it was sent `sending` ms late, and its first event may be `first` ms late.
void delay(input& in, double sending, double first) {
  for (client::record& r : in.records)
    r = late(r, {.sending = sending, .events = {{0, first}}});
}

TEST(console, a_client_that_kept_up_says_so_and_by_how_much_each_latency_may_be_off) {
  input in = plain_run();
  delay(in, 0.0123, 0.2);
  in.run.percentiles = {50, 99.9};
  in.run.set_fact("client", client_of(in));
  expect_golden(report_with("console", {}, in).printed, "kept_up.txt");
}

TEST(console, a_client_that_did_not_keep_up_is_described_with_reasons_and_errors) {
  input in = strained_run();
  delay(in, 1, 30);
  in.run.set_fact("client", client_of(in, [](metrics::client_health& of) {
                    of.local_failures = 1;
                    of.loads = {{0.955, 0.1}};
                    of.workers.resize(1);
                    of.workers[0].standstills = 2;
                    of.workers[0].longest_standstill_ns = 80'300'000;
                    of.workers[0].loop_lag.add(3'100'000, 100);
                  }));
  in.run.set_fact("calibration",
                  R"({"streams": 64, "ttft_error_ms": {"mean": 0.0312, "p50": 0.03, "p99": 0.11},
          "itl_error_ms": {"mean": -0.001, "p50": 0, "p99": 0.0849},
          "e2el_error_ms": {"mean": 0.04, "p50": 0.04, "p99": 1.25}})");
  expect_golden(report_with("console", {}, in).printed, "invalid_client.txt");
}

TEST(console, an_unknown_client_error_is_printed_as_unknown) {
  input in = plain_run();
  in.records[0].late.unknown = true;
  const auto printed = [&](const std::function<void(metrics::client_health&)>& change) {
    in.run.set_fact("client", client_of(in, change));
    return report_with("console", {}, in).printed;
  };
  const auto busy = [](metrics::client_health& of) {
    of.workers.resize(1);
    of.workers[0].loop_lag.add(3'100'000, 100);
  };
  EXPECT_THAT(
      printed(busy),
      EndsWith("\nClient's loop lag, P99 (ms):             3.100\n"
               "Busiest client thread (% of a core):     0.0\n"
               "Client:                                  SUSPECT, client error unknown: the "
               "stamps of 1 answer may be late by any amount\n"
               "  the client's event loop was busy for 3.1 ms at P99 (limit 0.5 ms): use "
               "more --workers, or a machine with more free cores\n"));
  for (client::record& r : in.records)
    r.late.unknown = true;
  EXPECT_THAT(printed({}),
              EndsWith("\nClient:                                  VALID, client error "
                       "unknown: the stamps of 3 answers may be late by any amount\n"));
}

TEST(console, a_run_without_its_end_has_bounds_and_no_verdict) {
  input in = plain_run();
  const std::string without = report_with("console", {}, in).printed;
  delay(in, 1, 0);
  metrics::accumulator all(in.run);
  for (const client::record& r : in.records)
    all.add(r);
  in.run.set_fact("client", metrics::to_json(all.bounds(in.run)));
  const std::string printed = report_with("console", {}, in).printed;
  EXPECT_THAT(printed, HasSubstr("\nClient error at most (ms):               mean "));
  EXPECT_THAT(printed, HasSubstr("\n  TTFT                                   1.00 "));
  EXPECT_THAT(printed, Not(HasSubstr("\nClient: ")));
  EXPECT_THAT(without, Not(HasSubstr("\nClient")));
}

TEST(console, a_client_from_an_older_journal_has_only_its_verdict) {
  input in = plain_run();
  in.run.set_fact("client",
                  R"({"verdict": "SUSPECT", "reasons": ["it was busy"],
          "limits": [{"name": "loop_lag_p99_ms", "figure": 3.1, "suspect": 0.5, "invalid": 5},
                     {"name": "cpu_busiest_second", "figure": 0.955, "suspect": 0.9, "invalid": 0.98},
                     {"name": "cpu", "figure": 0.4, "suspect": 0.9, "invalid": 0.98}]})");
  EXPECT_THAT(report_with("console", {}, in).printed,
              EndsWith("\nClient's loop lag, P99 (ms):             3.100\n"
                       "Busiest client thread (% of a core):     95.5\n"
                       "Client:                                  SUSPECT\n"
                       "  it was busy\n"));
}

TEST(console, a_client_that_kept_up_without_a_successful_request_is_no_good_news) {
  input in = hopeless_run();
  in.run.set_fact("client", R"({"verdict": "VALID"})");
  in.run.set_fact("accounting", R"({"planned": 2, "sent": 2, "never_sent": 0, "ok": 0,
                                    "failed": 2, "cancelled": 0})");
  EXPECT_THAT(report_with("console", {}, in).printed,
              EndsWith("\nClient:                                  VALID, but no request "
                       "succeeded\n"));
}

TEST(console, a_bound_is_never_rounded_down) {
  const auto shown = [](const std::string& ms) {
    input in = plain_run();
    in.run.set_fact("client", R"({"verdict": "VALID", "worst_error_bound":
                              {"figure": "P99 TTFT", "ms": )" +
                                  ms + "}}");
    const std::string text = report_with("console", {}, in).printed;
    const std::size_t at = text.find("<= ") + 3;
    return text.substr(at, text.find(" ms on P99 TTFT") - at);
  };
  for (const auto& [ms, text] : {std::pair{"0", "0"},
                                 {"1e-9", "0.001"},
                                 {"0.03", "0.030"},
                                 {"0.0301", "0.031"},
                                 {"0.1", "0.100"},
                                 {"0.1211", "0.122"},
                                 {"0.999", "0.999"},
                                 {"1.01", "1.01"},
                                 {"9.951", "9.96"},
                                 {"12.31", "12.4"},
                                 {"1234", "1234"}})
    EXPECT_EQ(shown(ms), text) << ms;
}

TEST(console, a_figure_with_an_unknown_bound_has_a_row_too) {
  input in = plain_run();
  const auto table_of = [&](const std::string& bounds) {
    in.run.set_fact("client", R"({"verdict": "VALID", "error_bound_ms": )" + bounds + "}");
    const std::string text = report_with("console", {}, in).printed;
    const std::size_t at = text.find("Client error at most");
    return at == std::string::npos ? std::string() : text.substr(at, text.find("Client:", at) - at);
  };
  EXPECT_EQ(table_of(R"({"ttft": null, "e2el": null})"), "");
  EXPECT_EQ(table_of(R"({"ttft": null, "itl": {"mean": 0.5, "median": 0, "p99": 0.25}})"),
            "Client error at most (ms):               mean      median    P99\n"
            "  TTFT                                   unknown\n"
            "  ITL                                    0.500     0         0.250\n");
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

TEST(console, invalid_data_about_the_client_in_a_journal_is_not_used) {
  input in = plain_run();
  const std::string without = report_with("console", {}, in).printed;
  for (const char* json :
       {R"({})", R"({"verdict": [7]})", R"({"limits": 7})", R"({"limits": [7, {}, {"name": 3}]})",
        R"({"limits": [{"name": "loop_lag_p99_ms"}, {"name": "cpu", "figure": "x"}]})",
        R"({"signs": 7, "error_bound_ms": [7], "causes": {}})",
        R"({"error_bound_ms": {"ttft": 7, "itl": null, "": {}}, "worst_error_bound": []})"}) {
    in.run.set_fact("client", json);
    in.run.set_fact("calibration", json);
    EXPECT_EQ(report_with("console", {}, in).printed, without) << json;
  }
  in.run.set_fact("burst", R"({"requests": -1, "seconds": "x"})");
  in.run.set_fact("client", R"({"verdict": "OK\u001b[2J", "reasons": ["a\r\nb", 7, null],
                                "causes": ["\u001b"], "answers_without_bound": -1,
                                "worst_error_bound": {"figure": "x\u001b", "ms": 1e9},
                                "error_bound_ms": {"ttft": {"mean": "x", "p99": -1}}})");
  in.run.set_fact("calibration", R"({"ttft_error_ms": {"p50": "x", "p99": 1}, "itl_error_ms": 5})");
  EXPECT_EQ(report_with("console", {}, in).printed,
            without.substr(0, without.find("Burst:")) +
                "TTFT error, mean / P50 / P99 (ms):       - / - / 1.000\n" +
                "ITL error, mean / P50 / P99 (ms):        - / - / -\n" +
                "Client error at most (ms):               mean      median    P99\n"
                "  TTFT                                   -         -         0\n"
                "Client:                                  OK [2J, client error <= 1000000000 ms "
                "on x \n  a  b\n  7\n  \n  observed:  \n");
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
