#include "calibration/findings.hpp"

#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.hpp"
#include "base/json.hpp"
#include "base/log.hpp"
#include "records/journal.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::calibration {
namespace {

constexpr std::uint64_t second = base::ns_per_s;

/// Streams whose events arrived at the given times in us. The server wrote each event `took` us
/// before it arrived; the write itself took no time.
class calibration_findings : public ::testing::Test {
 protected:
  void serve(const std::string& id, const std::vector<std::uint64_t>& us, std::uint64_t took,
             client::lateness late = {}) {
    add(id, us, us, took, "/v1/completions", std::move(late));
  }

  /// A chat stream: the first event has the role and no write of its own.
  void chat(const std::string& id, const std::vector<std::uint64_t>& us, std::uint64_t took,
            client::lateness late) {
    add(id, us, {us.begin() + 1, us.end()}, took, "/v1/chat/completions", std::move(late));
  }

  /// A pooling request whose answer ended at `us`.
  void pool(const std::string& id, std::uint64_t us, std::uint64_t took, client::lateness late) {
    add(id, {}, {us}, took, "/v1/embeddings", std::move(late));
    records_.back().end_ns = second + us * base::ns_per_us;
  }

  void add(const std::string& id, const std::vector<std::uint64_t>& us,
           const std::vector<std::uint64_t>& tokens, std::uint64_t took, const std::string& path,
           client::lateness late) {
    client::record r;
    r.status = IFB_OK;
    r.id = id;
    r.start_ns = r.due_ns = r.sent_ns = second;
    r.tokens = client::stamps(second);
    r.output_tokens = static_cast<std::int64_t>(us.size());
    std::string events;
    for (const std::uint64_t at : us)
      r.tokens.push(second + at * base::ns_per_us);
    for (const std::uint64_t at : tokens)
      events +=
          (events.empty() ? "" : ", ") + std::to_string(second + (at - took) * base::ns_per_us);
    r.late = std::move(late);
    records_.push_back(std::move(r));
    truth_ += R"({"request_id": ")" + id + R"(", "path": ")" + path + R"(", "event_ns": [)" +
              events + R"(], "written_ns": [)" + events + "]}\n";
  }

  findings compared(bool pooling = false) {
    const base::monotonic_clock clock;
    base::log log(base::log_level::error, [](base::log_level, std::string_view) {});
    {
      records::journal journal(folder_.root / "journal", {}, clock, log);
      for (const client::record& r : records_)
        journal.append(r);
      journal.end({});
    }
    std::ofstream(folder_.root / "truth") << truth_;
    return compare((folder_.root / "journal").string(), (folder_.root / "truth").string(), pooling);
  }

  support::temporary_folder folder_;
  std::vector<client::record> records_;
  std::string truth_;
};

const calibrated_load load{"openai", "50ms", "10ms", 20, 2};

TEST_F(calibration_findings, the_proven_error_is_reported_with_its_bound) {
  serve("a", {1000, 2000}, 100, {.events = {{0, 100'000}, {1, 100'000}}});
  serve("b", {1000, 2000}, 100, {.events = {{0, 100'000}, {1, 100'000}}});
  findings found = compared();
  found.client.causes = {"the client did not look at its sockets"};
  EXPECT_EQ(table_of(found, load),
            R"(========================== Calibration ===========================
Simulator:                              ttft 50ms, itl 10ms, openai
Requests compared:                      2 of 2
Events:                                 4
Measured less true (ms)         mean       P50       P99       max
TTFT                           0.100     0.100     0.100     0.100
ITL                            0.000     0.000     0.000     0.000
E2EL                           0.100     0.100     0.100     0.100
Delay of an event              0.100     0.100     0.100     0.100
P99 less true P99 (TTFT, ITL, E2EL):    0.100 0.000 0.100
Late stamps, proven / at most (ms)    mean             P50             P99
TTFT                         0.100 / 0.100   0.100 / 0.100   0.100 / 0.100
ITL                          0.000 / 0.100   0.000 / 0.100   0.000 / 0.100
E2EL                         0.100 / 0.100   0.100 / 0.100   0.100 / 0.100
Proven errors within the bounds:        yes
Client:                                 VALID
  observed: the client did not look at its sockets
==================================================================
)");
  const std::string json = json_of(found, load);
  const rapidjson::Document parsed = base::parse_json(json, "json");
  const auto& p99 = parsed["stamp_error_ms"]["ttft"]["p99"];
  EXPECT_DOUBLE_EQ(p99["figure"].GetDouble(), 1.0);
  EXPECT_DOUBLE_EQ(p99["at_most"].GetDouble(), 0.1);
  EXPECT_NEAR(p99["proven"].GetDouble(), 0.1, 1e-9);
  EXPECT_THAT(json,
              ::testing::HasSubstr(R"("bounds_hold": true, "verdict": "VALID", "reasons": [], )"
                                   R"("causes": ["the client did not look at its sockets"]})"));
}

TEST_F(calibration_findings, an_error_beyond_its_bound_is_said) {
  serve("a", {1000, 2000}, 100, {.events = {{0, 50'000}}});
  const findings found = compared();
  EXPECT_THAT(table_of(found, load),
              ::testing::HasSubstr("\nProven errors within the bounds:        NO\n"));
  EXPECT_THAT(json_of(found, load), ::testing::HasSubstr(R"("bounds_hold": false)"));
}

TEST_F(calibration_findings, a_delay_of_sending_hides_no_late_that_is_too_small) {
  serve("a", {1000, 2000}, 100, {.sending_ns = 500'000, .events = {{0, 50'000}, {1, 50'000}}});
  const std::string json = json_of(compared(), load);
  EXPECT_THAT(json, ::testing::HasSubstr(R"("bounds_hold": false)"));
  const rapidjson::Document parsed = base::parse_json(json, "json");
  EXPECT_DOUBLE_EQ(parsed["stamp_error_ms"]["ttft"]["mean"]["at_most"].GetDouble(), 0.05);
}

TEST_F(calibration_findings, a_request_that_was_not_compared_has_no_part_in_the_bounds) {
  serve("a", {1000, 2000}, 100);
  serve("b", {1000, 2000, 3000}, 0, {.events = {{0, 900'000}, {1, 900'000}, {2, 900'000}}});
  records_[1].tokens.push(records_[1].tokens.back());  // an event that the server did not write
  const findings found = compared();
  EXPECT_EQ(found.how_far.mismatched, 1U);
  for (const metrics::error_bound& one : found.bounds)
    EXPECT_EQ(one.mean.ms, 0) << metrics::define(one.of).name;
  EXPECT_THAT(json_of(found, load), ::testing::HasSubstr(R"("bounds_hold": false)"));
}

TEST_F(calibration_findings, the_role_event_of_a_chat_is_in_no_gap_on_either_side) {
  // TTFT ends with the role event, 0.3 ms late. The tokens are on time, 1 ms apart.
  chat("a", {1000, 1000, 2000, 3000}, 0, {.events = {{0, 300'000}, {2, 40'000}}});
  const rapidjson::Document json = base::parse_json(json_of(compared(), load), "json");
  const auto& figures = json["stamp_error_ms"];
  EXPECT_DOUBLE_EQ(figures["itl"]["mean"]["figure"].GetDouble(), 1.0);
  EXPECT_DOUBLE_EQ(figures["ttft"]["mean"]["at_most"].GetDouble(), 0.3);
  // The true gaps may be 0.96 and 1 ms, or 1 and 1.04 ms. If the gap after the role event counted,
  // the bound would be two thirds of this value.
  EXPECT_DOUBLE_EQ(figures["itl"]["mean"]["at_most"].GetDouble(), 0.02);
}

TEST_F(calibration_findings, pooling_requests_have_an_e2el_and_no_other_figure) {
  client::lateness late;
  late.end_ns = 125'000;
  pool("a", 1000, 125, late);
  pool("b", 1000, 125, late);
  const findings found = compared(true);
  EXPECT_EQ(table_of(found, {"openai-embeddings", "50ms", "10ms", 20, 2}),
            R"(========================== Calibration ===========================
Simulator:                              ttft 50ms, itl 10ms, openai-embeddings
Requests compared:                      2 of 2
Events:                                 2
Measured less true (ms)         mean       P50       P99       max
E2EL                           0.125     0.125     0.125     0.125
Delay of an event              0.125     0.125     0.125     0.125
P99 less true P99 (E2EL):               0.125
Late stamps, proven / at most (ms)    mean             P50             P99
E2EL                         0.125 / 0.125   0.125 / 0.125   0.125 / 0.125
Proven errors within the bounds:        yes
Client:                                 VALID
==================================================================
)");
  const std::string json = json_of(found, load);
  EXPECT_THAT(json, ::testing::HasSubstr(R"("ttft_error_ms": null, "itl_error_ms": null, )"
                                         R"("e2el_error_ms": {"mean": 0.125, )"));
  EXPECT_THAT(json, ::testing::HasSubstr(
                        R"("p99_difference_ms": {"ttft": null, "itl": null, "e2el": 0.125})"));
  EXPECT_THAT(json,
              ::testing::HasSubstr(R"("stamp_error_ms": {"ttft": null, "itl": null, "e2el": {)"));
  EXPECT_THAT(json, ::testing::HasSubstr(R"("bounds_hold": true)"));
}

TEST_F(calibration_findings, the_error_of_two_clocks_breaks_no_bound) {
  serve("a", {1000, 2000}, 10);
  EXPECT_THAT(json_of(compared(), load), ::testing::HasSubstr(R"("bounds_hold": true)"));
}

TEST_F(calibration_findings, an_unknown_bound_is_neither_kept_nor_broken) {
  client::lateness unknown;
  unknown.unknown = true;
  serve("a", {1000, 2000}, 100, unknown);
  const findings found = compared();
  EXPECT_THAT(table_of(found, load), ::testing::HasSubstr("\nTTFT                      unknown\n"));
  EXPECT_THAT(
      json_of(found, load),
      ::testing::HasSubstr(R"("stamp_error_ms": {"ttft": null, "itl": null, "e2el": null}, )"
                           R"("bounds_hold": null)"));
}

TEST_F(calibration_findings, requests_that_failed_or_are_not_in_the_log_are_counted) {
  serve("a", {1000}, 0);
  serve("b", {1000}, 0);
  serve("c", {1000}, 0);
  records_[1].status = IFB_E_IO;
  records_[1].error = "the connection broke";
  records_[2].id = "d";
  const findings found = compared();
  EXPECT_EQ(found.failed, 2U);
  EXPECT_EQ(found.first_error, "the connection broke");
  EXPECT_EQ(found.how_far.streams, 1U);
}

}  // namespace
}  // namespace inferbench::calibration
