#include "sweep/level.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "framework/sweep/levels.hpp"

namespace inferbench::sweep {
namespace {

using testing::HasSubstr;
using testing::Not;

template <typename function>
std::string level_complaint(function&& call) {
  try {
    (void)call();
  } catch (const base::error& e) {
    return e.what();
  }
  return "accepted";
}

std::vector<run_object> of(const std::vector<std::string>& texts) { return made_of(texts).runs; }

TEST(level, a_mean_is_taken_over_the_repetitions) {
  EXPECT_EQ(mean_of(of({R"({"x": 1})", R"({"x": 2.5})", R"({"x": 4})"}), "x"), 2.5);
}

TEST(level, the_last_of_equal_fields_counts) {
  EXPECT_EQ(mean_of(of({R"({"x": 1, "x": 2})"}), "x"), 2);
}

TEST(level, numbers_may_be_texts) {
  EXPECT_EQ(mean_of(of({R"({"x": "inf"})", R"({"x": 2})"}), "x"),
            std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(mean_of(of({R"({"x": "nan"})"}), "x")));
  EXPECT_EQ(mean_of(of({R"({"x": "12.5"})", R"({"x": true})"}), "x"), 6.75);
}

TEST(level, a_missing_field_is_named_with_the_numeric_fields) {
  const auto runs =
      of({R"({"p99_ttft_ms": 1})", R"({"a": 1, "b": "text", "c": "inf", "d": null, "e": [1]})"});
  EXPECT_EQ(level_complaint([&] { return mean_of(runs, "p99_ttft_ms"); }),
            "the result of run 1 has no field \"p99_ttft_ms\"; its numeric fields are a, c");
}

TEST(level, a_field_without_a_number_is_named) {
  for (const char* run : {R"({"x": null, "y": 1})", R"({"x": "fast", "y": 1})",
                          R"({"x": [1], "y": 1})", R"({"x": {"y": 2}, "y": 1})"})
    EXPECT_EQ(level_complaint([&] { return mean_of(of({run}), "x"); }),
              "the result of run 0 has no number in the field \"x\"; its numeric fields are y")
        << run;
  EXPECT_THAT(level_complaint([&] { return mean_of(of({"{}"}), "x"); }),
              HasSubstr("the result has no numeric field"));
}

TEST(level, a_result_that_is_no_object_has_no_field) {
  EXPECT_THAT(level_complaint([&] { return mean_of(of({"[1, 2]"}), "x"); }),
              HasSubstr("has no field \"x\""));
}

TEST(level, a_level_without_runs_has_no_mean) {
  EXPECT_THAT(level_complaint([] { return mean_of({}, "x"); }), HasSubstr("no run of this level"));
  EXPECT_THAT(level_complaint([] { return carried_load({}, "request_rate"); }),
              HasSubstr("no run of this level"));
}

TEST(level, the_carried_rate_is_the_throughput) {
  EXPECT_EQ(carried_load(of({R"({"request_throughput": 10})", R"({"request_throughput": 11})"}),
                         "request_rate"),
            10.5);
}

TEST(level, the_carried_concurrency_follows_from_littles_law_in_each_run) {
  // 4 requests/s for 2 s each, and 6 requests/s for 1 s each.
  EXPECT_EQ(carried_load(of({R"({"request_throughput": 4, "mean_e2el_ms": 2000})",
                             R"({"request_throughput": 6, "mean_e2el_ms": 1000})"}),
                         "max_concurrency"),
            7);
}

TEST(level, no_load_follows_from_numbers_that_are_not_finite) {
  for (const char* text : {R"({"request_throughput": "inf"})", R"({"request_throughput": "nan"})",
                           R"({"request_throughput": 1e300})"})
    EXPECT_THAT(level_complaint([&] { return carried_load(of({text}), "request_rate"); }),
                HasSubstr("from which no request_rate follows"));
}

TEST(level, a_level_has_a_piece_of_a_folders_name) {
  EXPECT_EQ(level_piece("request_rate", 16), "request_rate=16");
}

TEST(level, a_missing_percentile_comes_with_the_flag_that_adds_it) {
  const auto runs = of({R"({"p99_ttft_ms": 1})"});
  for (const auto& [key, percentile] : {std::pair{"p90_ttft_ms", "90"}, {"p99.9_ttft_ms", "99.9"}})
    EXPECT_THAT(level_complaint([&] { return mean_of(runs, key); }),
                HasSubstr("; add --metric-percentiles " + std::string(percentile) +
                          ",99 to the benchmark's command; its numeric fields are p99_ttft_ms"));
  for (const char* key : {"p99_speed", "p_x", "p90", "px90_x", "power", "p", ""})
    EXPECT_THAT(level_complaint([&] { return mean_of(runs, key); }),
                Not(HasSubstr("--metric-percentiles")))
        << key;
}

TEST(level, a_result_says_how_many_requests_were_completed_and_failed) {
  EXPECT_TRUE(completed_nothing(*run_of(R"({"completed": 0, "failed": 3})")));
  for (const char* text : {R"({"completed": 1})", R"({"completed": null})", "{}"})
    EXPECT_FALSE(completed_nothing(*run_of(text))) << text;
  EXPECT_EQ(failed_requests(*run_of(R"({"completed": 0, "failed": 3})")), 3);
  for (const char* text : {R"({"failed": 0})", R"({"failed": "3"})", "{}"})
    EXPECT_EQ(failed_requests(*run_of(text)), 0) << text;
}

}  // namespace
}  // namespace inferbench::sweep
