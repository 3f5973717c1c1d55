// The figures of the multi-turn mode, read from facts that a journal may contain.
#include "reporters/common/turn_result.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reporters/common/turn_members.hpp"

namespace {

using reporters::parse_object;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::uint32_t shown = IFB_METRIC_SUMMARY | IFB_METRIC_SELECTED | IFB_METRIC_UPSTREAM;

/// A summary with three figures; TTFT and the client queue time are selected.
class a_summary {
 public:
  a_summary() {
    for (ifb_metric& m : metrics_)
      m.struct_size = sizeof m;
    metrics_[0].name = "duration";
    metrics_[0].value = 2;
    metrics_[1].name = "ttft";
    metrics_[1].flags = shown;
    metrics_[1].quantiles = quantiles_.data();
    metrics_[1].quantile_count = quantiles_.size();
    metrics_[2].name = "client_queue_time";
    metrics_[2].flags = shown;
    view_.struct_size = sizeof view_;
    view_.metrics = metrics_.data();
    view_.metric_count = static_cast<std::uint32_t>(metrics_.size());
    view_.metric_stride = sizeof(ifb_metric);
  }
  [[nodiscard]] reporters::figures figures() const { return reporters::figures(view_); }

 private:
  std::array<ifb_quantile, 3> quantiles_{{{0.5, 7}, {0.999, 8}, {0.5, 7}}};
  std::array<ifb_metric, 3> metrics_{};
  ifb_summary view_{};
};

TEST(turn_results, facts_of_other_types_count_as_0) {
  const a_summary of;
  for (const char* json : {"{}", R"({"turns": 3})", R"({"turns": {}})", R"({"turns": [1, null]})"})
    EXPECT_THAT(reporters::turn_results(of.figures(), parse_object(json)), IsEmpty()) << json;
  const auto turns = reporters::turn_results(
      of.figures(), parse_object(R"({"turns": [{"turn": -1, "ok": "x", "failed": 1e300,
                                                "total_input_tokens": [], "ttft_ms": 4}]})"));
  ASSERT_EQ(turns.size(), 1U);
  EXPECT_EQ(turns[0].completed, 0U);
  EXPECT_EQ(turns[0].failed, 0U);
  EXPECT_EQ(turns[0].input, 0U);
  ASSERT_EQ(turns[0].latencies.size(), 1U);
  EXPECT_EQ(turns[0].latencies[0].mean, 0);
  EXPECT_THAT(turns[0].latencies[0].percentiles, ElementsAre(0, 0, 0));
}

TEST(turn_results, percentiles_are_in_the_order_of_the_quantiles_of_the_figure) {
  const a_summary of;
  const auto turns =
      reporters::turn_results(of.figures(), parse_object(R"({"turns": [{"turn": 1, "ttft_ms": {
          "mean": 1.5, "median": 2, "std": 0.5, "p50": 2, "p90": 3, "p99.9": 4}}]})"));
  ASSERT_EQ(turns.size(), 1U);
  ASSERT_EQ(turns[0].latencies.size(), 1U) << "client_queue_time is not ttft, tpot, itl or e2el";
  EXPECT_EQ(turns[0].latencies[0].deviation, 0.5);
  EXPECT_THAT(turns[0].latencies[0].percentiles, ElementsAre(2, 4, 2));
}

TEST(turn_results, a_run_without_a_duration_has_no_rates) {
  reporters::turn_result of;
  EXPECT_EQ(of.rate(5), 0);
  of.duration_s = 2;
  EXPECT_EQ(of.rate(5), 2.5);
}

TEST(turn_results, only_the_multi_turn_mode_has_settings) {
  const ifb::run_description run;
  for (const char* json : {"{}", R"({"conversations": 1})", R"({"conversations": {"begun": 1}})",
                           R"({"conversations": {"multi_turn": true}})"})
    EXPECT_FALSE(reporters::multi_turn_run_of(run, parse_object(json))) << json;
  const auto found = reporters::multi_turn_run_of(
      run, parse_object(R"({"conversations": {"begun": 2, "finished": 3, "mean_turns": "x",
                            "multi_turn": {"concurrency": -1, "turn_delay_ms": 0.5}}})"));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->failed, 0U);
  EXPECT_EQ(found->mean_turns, 0);
  EXPECT_EQ(found->concurrency, 0U);
  EXPECT_EQ(found->turn_delay_ms, 0.5);
  EXPECT_EQ(found->turns, 3U);
}

TEST(turn_results, a_number_of_turns_that_is_negative_or_not_whole_counts_as_not_given) {
  const auto facts = parse_object(R"({"conversations": {"multi_turn": {}}})");
  ifb::run_description run;
  for (const char* text : {"-1", "null", "\"4\"", "4.5", "4 ", ""}) {
    run.flags = {{"multi-turn-num-turns", text}};
    EXPECT_EQ(reporters::multi_turn_run_of(run, facts)->turns, 3U) << text;
  }
  run.flags = {{"multi-turn-num-turns", "7"}, {"multi-turn-prefix-global-ratio", "1"}};
  EXPECT_EQ(reporters::multi_turn_run_of(run, facts)->turns, 7U);
  EXPECT_EQ(reporters::multi_turn_run_of(run, facts)->global_prefix, 1);
}

TEST(turn_results, a_whole_number_has_no_fraction) {
  EXPECT_EQ(reporters::json_number(500), "500");
  EXPECT_EQ(reporters::json_number(0), "0");
  EXPECT_EQ(reporters::json_number(12.5), "12.5");
  EXPECT_EQ(reporters::json_number(NAN), "null");
}

TEST(turn_members, a_percentile_that_was_requested_twice_is_written_once) {
  const a_summary of;
  reporters::document out;
  reporters::add_turn_figures(out, of.figures(), parse_object(R"({"turns": [{}, {"turn": 2}]})"));
  const std::string json(out.json("per_turn_metrics"));
  EXPECT_THAT(json, HasSubstr(R"("p50_ttft_ms": 0.0, "p99.9_ttft_ms": 0.0}, {"turn_index": 1, )"));
  EXPECT_THAT(json, Not(HasSubstr("client_queue_time")));
}

}  // namespace
