#include "metrics/steady_state.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "metrics/accumulator.hpp"
#include "record_of.hpp"

namespace inferbench::metrics {
namespace {

using testing::HasSubstr;
using testing_::at_ms;
using testing_::failure;
using testing_::success;

steady_window window_of(const std::vector<std::pair<double, double>>& spans,
                        std::uint64_t threshold) {
  std::vector<span> out;
  for (const auto& [begin, end] : spans)
    out.push_back({at_ms(begin), at_ms(end)});
  return find_steady_window(out, threshold);
}

TEST(steady_window, lasts_from_the_first_crossing_upward_to_the_last_one_downward) {
  // In flight: 1, 2, 3, 2, 3, 2, 1.
  const steady_window w = window_of({{0, 100}, {10, 90}, {20, 40}, {50, 80}}, 3);
  EXPECT_EQ(w.begin, at_ms(20));
  EXPECT_EQ(w.end, at_ms(80));
  EXPECT_EQ(w.peak, 3U);
  EXPECT_TRUE(w.holds(at_ms(20)));
  EXPECT_TRUE(w.holds(at_ms(45)));  // although only two were in flight at that time
  EXPECT_FALSE(w.holds(at_ms(80)));
}

TEST(steady_window, an_end_makes_room_for_a_start_of_the_same_instant) {
  const steady_window w = window_of({{0, 10}, {10, 20}, {20, 30}}, 2);
  EXPECT_EQ(w.peak, 1U);
  EXPECT_EQ(w.end, 0U);
}

TEST(steady_window, a_threshold_of_one_lasts_from_the_first_start_to_the_last_end) {
  const steady_window w = window_of({{5, 10}, {30, 70}}, 1);
  EXPECT_EQ(w.begin, at_ms(5));
  EXPECT_EQ(w.end, at_ms(70));
}

TEST(steady_window, no_spans_and_empty_spans_have_no_window) {
  EXPECT_EQ(window_of({}, 1).end, 0U);
  const steady_window w = window_of({{5, 5}, {7, 7}}, 1);
  EXPECT_EQ(w.end, 0U);
  EXPECT_EQ(w.peak, 0U);
}

TEST(steady_state, the_threshold_is_a_share_of_the_cap_rounded_up_and_at_least_one) {
  context run;
  const auto of = [&](std::int64_t cap, double share) {
    run.max_concurrency = cap;
    run.steady_state.threshold = share;
    return steady_threshold(run);
  };
  EXPECT_EQ(of(32, 0.95), 31U);
  EXPECT_EQ(of(20, 0.95), 19U);
  EXPECT_EQ(of(1, 0.95), 1U);
  EXPECT_EQ(of(8, 0), 1U);
  EXPECT_EQ(of(8, 1), 8U);
}

TEST(steady_state, numbers_that_no_run_has_do_no_harm) {
  context run;
  const auto of = [&](std::int64_t cap, double share) {
    run.max_concurrency = cap;
    run.steady_state.threshold = share;
    return steady_threshold(run);
  };
  constexpr std::uint64_t most = 1'000'000'000'000'000'000;
  EXPECT_EQ(of(8, 1e300), most);
  EXPECT_EQ(of(INT64_MAX, 1), most);
  EXPECT_EQ(of(8, -1e300), 1U);
  EXPECT_EQ(of(-8, 1), 1U);
  EXPECT_EQ(of(8, std::numeric_limits<double>::quiet_NaN()), 1U);
  EXPECT_EQ(window_of({{0, 10}, {5, 20}}, most).end, 0U);
}

TEST(steady_state, belongs_to_runs_with_a_cap_and_no_rate) {
  context run;
  EXPECT_FALSE(has_steady_state(run));
  run.max_concurrency = 2;
  EXPECT_TRUE(has_steady_state(run));
  run.request_rate = 5;
  EXPECT_FALSE(has_steady_state(run));
  run.request_rate = std::numeric_limits<double>::infinity();
  run.steady_state.wanted = false;
  EXPECT_FALSE(has_steady_state(run));
}

// Cap 2, threshold 2:        0        100       200       300
//   0: start   0, events at 10  50    100
//   1: start  20, events at    60          160
//   2: start 100, events at             150  190
//   3: start 160, one token                   at 200
//   4: start 190, events at                     230 250 290
// At least two requests are in flight from 20 to 200; at 200 one is left.
std::vector<client::record> closed_loop() {
  return {success({0, 0, 0, {10, 50, 100}, 0, 10, 3}), success({1, 0, 20, {60, 160}, 0, 20, 5}),
          success({2, 0, 100, {150, 190}, 0, 30, 2}), success({3, 0, 160, {200}, 0, 40, 1}),
          success({4, 0, 190, {230, 250, 290}, 0, 50, 3})};
}

context of_two() {
  context run;
  run.duration_s = 0.29;
  run.max_concurrency = 2;
  run.percentiles = {50, 100};
  return run;
}

rapidjson::Document facts_of(const std::vector<client::record>& records, const context& run) {
  accumulator all(run);
  for (const client::record& r : records)
    all.add(r);
  rapidjson::Document out;
  out.Parse(std::string(all.finish(run).facts_json()).c_str());
  EXPECT_TRUE(out.IsObject());
  return out;
}

TEST(steady_state, figures_are_as_computed_by_hand) {
  const auto facts = facts_of(closed_loop(), of_two());
  const auto& found = facts["steady_state"];
  ASSERT_TRUE(found.IsObject());
  const auto& window = found["window"];
  EXPECT_DOUBLE_EQ(window["start_s"].GetDouble(), 0.02);
  EXPECT_DOUBLE_EQ(window["end_s"].GetDouble(), 0.2);
  EXPECT_DOUBLE_EQ(window["duration_s"].GetDouble(), 0.18);
  EXPECT_EQ(window["target_concurrency"].GetInt(), 2);
  EXPECT_EQ(window["threshold"].GetDouble(), 0.95);
  EXPECT_EQ(window["threshold_abs"].GetInt(), 2);
  EXPECT_EQ(window["observed_peak"].GetInt(), 2);
  EXPECT_EQ(window["requests_started_in_window"].GetInt(), 4);
  EXPECT_EQ(window["requests_completed_in_window"].GetInt(), 3);  // the end at 200 is outside
  EXPECT_EQ(window["requests_total"].GetInt(), 5);
  EXPECT_DOUBLE_EQ(found["request_throughput"].GetDouble(), 3 / 0.18);
  EXPECT_DOUBLE_EQ(found["input_throughput"].GetDouble(), (20 + 30 + 40 + 50) / 0.18);
  EXPECT_DOUBLE_EQ(found["output_throughput"].GetDouble(), 6 / 0.18);  // 50 100 60 160 150 190
  EXPECT_DOUBLE_EQ(found["total_token_throughput"].GetDouble(), 146 / 0.18);
  EXPECT_DOUBLE_EQ(found["mean_ttft_ms"].GetDouble(), (40 + 50 + 40 + 40) / 4.0);
  EXPECT_DOUBLE_EQ(found["median_ttft_ms"].GetDouble(), 40);
  EXPECT_EQ(found["percentiles_ttft_ms"].Size(), 2U);
  EXPECT_EQ(found["percentiles_ttft_ms"][1][0].GetDouble(), 100);
  EXPECT_DOUBLE_EQ(found["percentiles_ttft_ms"][1][1].GetDouble(), 50);
  EXPECT_DOUBLE_EQ(found["mean_tpot_ms"].GetDouble(), (25 + 40 + 30) / 3.0);
  EXPECT_DOUBLE_EQ(found["median_tpot_ms"].GetDouble(), 30);
  EXPECT_DOUBLE_EQ(found["p90_tpot_ms"].GetDouble(), 38);
  EXPECT_DOUBLE_EQ(found["p99_tpot_ms"].GetDouble(), 39.8);
}

TEST(steady_state, a_window_that_is_short_is_warned_about) {
  context run = of_two();
  const auto warning = [&] {
    const auto facts = facts_of(closed_loop(), run);
    const auto& text = facts["steady_state"]["window"]["warning"];
    return text.IsNull() ? std::string() : std::string(text.GetString());
  };
  EXPECT_THAT(warning(), HasSubstr("the window of 0.18 s is shorter than 10.00 s"));
  run.duration_s = 200;
  EXPECT_THAT(warning(), HasSubstr("shorter than 20.00 s"));
  run.steady_state.min_window_ns = 180'000'001;
  EXPECT_THAT(warning(), HasSubstr("shorter than 0.18 s"));
  run.steady_state.min_window_ns = 180'000'000;
  EXPECT_EQ(warning(), "");
  run.steady_state.min_window_ns = 0;
  EXPECT_EQ(warning(), "");
}

TEST(steady_state, failures_have_no_part_in_it) {
  auto records = closed_loop();
  records.push_back(failure({5, 0, 0, {10, 20}, 280, 70, 0}, IFB_E_IO, 200, "ended"));
  const auto with = facts_of(records, of_two());
  const auto without = facts_of(closed_loop(), of_two());
  EXPECT_EQ(with["steady_state"], without["steady_state"]);
}

TEST(steady_state, a_single_burst_has_none_because_no_request_ended_inside) {
  const std::vector<client::record> records = {success({0, 0, 0, {10, 50}, 0, 1, 2}),
                                               success({1, 0, 0, {10, 60}, 0, 1, 2})};
  const auto facts = facts_of(records, of_two());
  EXPECT_TRUE(facts["steady_state"].IsNull());
  EXPECT_STREQ(facts["steady_state_missing"].GetString(),
               "no request ended while 2 were under way");
}

TEST(steady_state, pooling_has_no_times_of_tokens) {
  std::vector<client::record> records;
  for (std::uint64_t i = 0; i < 6; ++i)
    records.push_back(success(
        {i, 0, 10.0 * static_cast<double>(i), {}, 10.0 * static_cast<double>(i) + 20, 7, 0}));
  context run = of_two();
  run.pooling = true;
  const auto facts = facts_of(records, run);
  const auto& found = facts["steady_state"];
  ASSERT_TRUE(found.IsObject());
  EXPECT_FALSE(found.HasMember("mean_ttft_ms"));
  EXPECT_EQ(found["output_throughput"].GetDouble(), 0);
  // From 10 to 60: starts at 10 20 30 40 50, ends at 20 30 40 50.
  EXPECT_EQ(found["window"]["requests_started_in_window"].GetInt(), 5);
  EXPECT_EQ(found["window"]["requests_completed_in_window"].GetInt(), 4);
  EXPECT_DOUBLE_EQ(found["input_throughput"].GetDouble(), 35 / 0.05);
}

TEST(steady_state, a_bounded_run_reports_why_it_has_none) {
  context run = of_two();
  run.bounded = true;
  const auto facts = facts_of(closed_loop(), run);
  EXPECT_TRUE(facts["steady_state"].IsNull());
  EXPECT_THAT(facts["steady_state_missing"].GetString(), HasSubstr("--summary exact"));
}

TEST(steady_state, a_run_that_cannot_have_one_has_no_member_for_it) {
  context run = of_two();
  run.max_concurrency.reset();
  EXPECT_FALSE(facts_of(closed_loop(), run).HasMember("steady_state"));
}

}  // namespace
}  // namespace inferbench::metrics
