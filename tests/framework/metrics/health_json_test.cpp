#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.hpp"
#include "health_of.hpp"
#include "metrics/health.hpp"
#include "support/golden.hpp"

namespace inferbench::metrics {
namespace {

using testing::HasSubstr;
using testing_::good;
using testing_::ttft_bound;

TEST(health_json, has_all_observations) {
  const client_health h = good();
  support::expect_golden(to_json(h, judge(h)) + "\n", INFERBENCH_FIXTURES "/metrics/health.json");
}

TEST(health_json, unknown_bounds_are_null) {
  client_health h = good();
  h.bounds.push_back({metric::client_queue_time, printed::all, 0, {1, 0.25}, {}, {{99, {}}}});
  h.bounds[0].unknown = 17;
  const auto json = base::parse_json(to_json(h, judge(h)), "the test");
  const auto& bounds = *base::find(json, "error_bound_ms");
  EXPECT_TRUE(base::find(bounds, "ttft")->IsNull());
  EXPECT_EQ(base::find(*base::find(bounds, "client_queue_time"), "mean")->GetDouble(), 0.25);
  EXPECT_EQ(base::find(json, "answers_without_bound")->GetUint64(), 17U);
  EXPECT_EQ(base::text_of(base::find(*base::find(json, "worst_error_bound"), "figure")),
            "mean Client Queue Time");
  h.bounds.resize(1);
  EXPECT_TRUE(base::find(base::parse_json(to_json(h, judge(h)), "the test"), "worst_error_bound")
                  ->IsNull());
}

TEST(health_json, a_percentile_that_was_asked_for_twice_is_there_once) {
  client_health h = good();
  h.bounds = {{metric::e2el, printed::all, 0, {}, {}, {{99.9, {9, 0.5}}, {50, {}}, {99.9, {}}}}};
  EXPECT_THAT(to_json(h, judge(h)),
              HasSubstr(R"("e2el": {"mean": 0.0, "median": 0.0, "p99.9": 0.5, "p50": 0.0})"));
}

TEST(health_json, without_other_signals_has_no_verdict) {
  const std::vector<error_bound> bounds{ttft_bound({10, 0.25}, {}, {20, 2})};
  EXPECT_EQ(to_json(bounds),
            R"({"error_bound_ms": {"ttft": {"mean": 0.25, "median": 0.0, "p99": 2.0}}, )"
            R"("answers_without_bound": 0, )"
            R"("worst_error_bound": {"figure": "P99 TTFT", "ms": 2.0, "of_limit": 4.0}})");
}

TEST(health_json, of_nothing_is_an_object_too) {
  const auto json = base::parse_json(to_json(client_health{}, judge({})), "the test");
  EXPECT_EQ(base::text_of(base::find(json, "verdict")), "VALID");
  EXPECT_EQ(base::find(json, "workers")->Size(), 0U);
}

}  // namespace
}  // namespace inferbench::metrics
