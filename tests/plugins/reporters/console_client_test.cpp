// Tests the lines of the reporter `console` about the client: its verdict, and how far off the
// latencies may be.
#include <cstddef>
#include <functional>
#include <string>
#include <tuple>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/record.hpp"
#include "driver.hpp"
#include "framework/metrics/record_of.hpp"
#include "metrics/accumulator.hpp"
#include "metrics/health.hpp"

namespace inferbench::reporters_test {
namespace {

using metrics::testing_::late;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

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

}  // namespace
}  // namespace inferbench::reporters_test
