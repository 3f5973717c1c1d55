#include <array>
#include <string>

#include <gtest/gtest.h>

#include <inferbench/views.hpp>

#include "reporters/screen/live_model.hpp"

namespace reporters {
namespace {

constexpr std::uint64_t start_ns = 5'000'000'000;

ifb_metric live_metric(const char* name, double value) {
  ifb_metric out{};
  out.struct_size = sizeof out;
  out.name = out.label = name;
  out.value = value;
  out.count = 4;
  return out;
}

class model_of_the_screen : public testing::Test {
 protected:
  static live_model begun() {
    ifb_run run{};
    run.struct_size = sizeof run;
    run.name = ifb::str("run-1");
    run.started_ns = start_ns;
    run.config_json = ifb::str(R"({"resolved": {"backend": "openai", "model_id": "m"}})");
    return live_model(run);
  }

  /// Live figures `at_s` seconds after the start.
  screen_model at(double at_s, const std::string& facts, double output_throughput = 0) {
    const std::array metrics{live_metric("duration", at_s),
                             live_metric("output_throughput", output_throughput)};
    ifb_snapshot live{};
    live.struct_size = sizeof live;
    live.at_ns = start_ns + static_cast<std::uint64_t>(at_s * 1e9);
    live.metrics = metrics.data();
    live.metric_count = metrics.size();
    live.metric_stride = sizeof(ifb_metric);
    live.facts_json = {facts.data(), facts.size()};
    return model_.update(live);
  }
  static std::string progress(int finished, const std::string& planned,
                              const std::string& limit = "null") {
    return R"({"progress": {"planned": )" + planned + R"(, "finished": )" +
           std::to_string(finished) + R"(, "failed": 1, "in_flight": 8, "limit_s": )" + limit +
           "}}";
  }

 private:
  live_model model_ = begun();
};

TEST_F(model_of_the_screen, has_rates_of_now_and_since_the_start) {
  at(0.25, progress(0, "100"), 0);
  at(10, progress(10, "100"), 10);
  at(17, progress(10, "100"), 100.0 / 17);
  const screen_model now = at(20, progress(40, "100"), 20);
  EXPECT_DOUBLE_EQ(now.requests.now, 10);
  EXPECT_DOUBLE_EQ(now.requests.mean, 2);
  ASSERT_TRUE(now.tokens);
  EXPECT_DOUBLE_EQ(now.tokens->now, 100);
  EXPECT_DOUBLE_EQ(now.tokens->mean, 20);
  EXPECT_EQ(now.backend, "openai");
  EXPECT_EQ(now.model, "m");
}

TEST_F(model_of_the_screen, computes_the_time_left_from_the_rate_of_the_last_30_seconds) {
  at(10, progress(80, "200"));
  at(70, progress(80, "200"));
  const screen_model now = at(100, progress(140, "200"));
  EXPECT_DOUBLE_EQ(now.share, 0.7);
  EXPECT_DOUBLE_EQ(now.left_s.value(), 30);
}

TEST_F(model_of_the_screen, ends_at_the_limit_of_time_if_that_comes_first) {
  at(10, progress(10, "null", "100"));
  const screen_model now = at(40, progress(20, "null", "100"));
  EXPECT_FALSE(now.planned);
  EXPECT_DOUBLE_EQ(now.share, 0.4);
  EXPECT_DOUBLE_EQ(now.left_s.value(), 60);
}

TEST_F(model_of_the_screen, does_not_know_the_time_left_before_a_request_has_ended) {
  EXPECT_FALSE(at(1, progress(0, "10")).left_s);
}

TEST_F(model_of_the_screen, copes_with_facts_that_are_missing_or_wrong) {
  for (const char* facts :
       {"", "no JSON", "[]", R"({"progress": 7, "errors": {}, "log": [1, null]})",
        R"({"progress": {"finished": -1e300, "planned": 1e300}, "series": [3]})",
        R"({"errors": [1, {"count": "x"}], "client": []})"}) {
    const screen_model now = at(1, facts);
    EXPECT_EQ(now.finished, 0U) << facts;
  }
}

TEST_F(model_of_the_screen, has_a_value_for_each_second) {
  for (int i = 0; i <= 40; ++i)
    at(i * 0.25, progress(i, "100"));
  const screen_model now = at(10.25, progress(41, "100"));
  EXPECT_EQ(now.rate_history.size(), 10U);
  for (const double rate : now.rate_history)
    EXPECT_NEAR(rate, 4, 1e-9);
  EXPECT_EQ(now.in_flight_history.back(), 8);
}

TEST_F(model_of_the_screen, keeps_two_minutes_however_long_the_run_is) {
  for (int i = 0; i < 4000; ++i)
    at(i, progress(i, "null"));
  const screen_model now = at(4000, progress(4000, "null"));
  EXPECT_LE(now.rate_history.size(), 120U);
  EXPECT_DOUBLE_EQ(now.requests.now, 1);
}

}  // namespace
}  // namespace reporters
