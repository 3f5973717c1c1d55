#include "perf/refinement.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pytext/python_json.hpp"

namespace inferbench::perf {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using enum point_verdict;

point_verdict verdict_on(const std::string& json) {
  return judged(pytext::read_json_document(json, "r.json"), {3000, 100});
}

TEST(a_point, passes_with_both_latencies_at_most_at_their_limits) {
  EXPECT_EQ(verdict_on(R"({"p99_ttft_ms": 3000, "p99_tpot_ms": 100})"), passed);
  EXPECT_EQ(verdict_on(R"({"p99_ttft_ms": 3000.1, "p99_tpot_ms": 100})"), failed);
  EXPECT_EQ(verdict_on(R"({"p99_ttft_ms": 3000, "p99_tpot_ms": 100.1})"), failed);
}

TEST(a_point, is_judged_by_the_percentile_before_the_mean) {
  EXPECT_EQ(verdict_on(R"({"p99_ttft_ms": 1, "mean_ttft_ms": 9999, "mean_tpot_ms": 1})"), passed);
  EXPECT_EQ(verdict_on(R"({"mean_ttft_ms": 9999, "mean_tpot_ms": 1})"), failed);
  EXPECT_EQ(verdict_on(R"({"p99_ttft_ms": 1, "mean_itl_ms": 101})"), failed);
  EXPECT_EQ(verdict_on(R"({"p99_ttft_ms": 1, "mean_tpot_ms": 1, "mean_itl_ms": 101})"), passed);
}

TEST(a_point, is_judged_by_nested_latencies_too) {
  EXPECT_EQ(verdict_on(R"({"ttft_ms": {"p99": 1}, "tpot_ms": {"mean": 200}})"), failed);
  EXPECT_EQ(verdict_on(R"({"metrics": {"p99_ttft_ms": 1, "itl_ms": {"mean": 2}}})"), passed);
}

TEST(a_point, without_a_usable_latency_is_unknown) {
  for (const char* const result :
       {"{}", R"({"p99_ttft_ms": 1})", R"({"p99_tpot_ms": 1})", "[]", "3",
        R"({"p99_ttft_ms": NaN, "p99_tpot_ms": 1})", R"({"p99_ttft_ms": "1", "p99_tpot_ms": 1})",
        R"({"completed": 0, "p99_ttft_ms": 0, "p99_tpot_ms": 0})"})
    EXPECT_EQ(verdict_on(result), unknown) << result;
}

TEST(the_range_of_points, ends_at_the_first_failure_after_a_pass) {
  const auto range = [](const std::vector<judged_point>& points) {
    const passing_range out = range_of(points);
    return std::vector{out.last_pass.value_or(-1), out.first_fail.value_or(-1)};
  };
  EXPECT_THAT(range({}), ElementsAre(-1, -1));
  EXPECT_THAT(range({{12, passed}, {16, failed}, {24, passed}}), ElementsAre(12, 16));
  EXPECT_THAT(range({{12, failed}, {16, passed}, {24, failed}}), ElementsAre(16, 24));
  EXPECT_THAT(range({{12, passed}, {16, unknown}, {24, failed}}), ElementsAre(12, 24));
  EXPECT_THAT(range({{12, passed}, {16, passed}}), ElementsAre(16, -1));
  EXPECT_THAT(range({{12, failed}, {16, failed}}), ElementsAre(-1, -1));
}

/// A search over loads that pass up to `limit`.
struct search_box {
  std::vector<std::int64_t> tried = {};
  std::int64_t limit = 0;
  std::optional<std::int64_t> unknown_at = {};

  passing_range over(const std::vector<judged_point>& points, int probes = 8,
                     std::int64_t cap = 1024) {
    return refined(points, {.limits = {}, .probes = probes, .largest_concurrency = cap},
                   [this](std::int64_t at) {
                     tried.push_back(at);
                     if (at == unknown_at) return unknown;
                     return at <= limit ? passed : failed;
                   });
  }
};

TEST(a_search, bisects_between_a_pass_and_a_failure_until_they_are_adjacent) {
  search_box box{.limit = 19};
  const passing_range found = box.over({{16, passed}, {24, failed}});
  EXPECT_THAT(box.tried, ElementsAre(20, 18, 19));
  EXPECT_EQ(found.last_pass, 19);
  EXPECT_EQ(found.first_fail, 20);
}

TEST(a_search, makes_at_most_its_number_of_probes) {
  search_box box{.limit = 150};
  const passing_range found = box.over({{100, passed}, {200, failed}}, 2);
  EXPECT_THAT(box.tried, ElementsAre(150, 175));
  EXPECT_EQ(found.last_pass, 150);
  EXPECT_EQ(found.first_fail, 175);
  search_box none{.limit = 150};
  EXPECT_EQ(none.over({{100, passed}, {200, failed}}, 0).first_fail, 200);
  EXPECT_THAT(none.tried, IsEmpty());
}

TEST(a_search, without_a_pass_tries_nothing) {
  search_box box{.limit = 100};
  EXPECT_FALSE(box.over({{12, failed}, {16, unknown}}).last_pass);
  EXPECT_FALSE(box.over({}).last_pass);
  EXPECT_THAT(box.tried, IsEmpty());
}

TEST(a_search, goes_up_by_growing_steps_and_then_bisects) {
  search_box box{.limit = 70};
  const passing_range found = box.over({{12, passed}, {16, passed}});
  EXPECT_THAT(box.tried, ElementsAre(20, 28, 44, 76, 60, 68, 72, 70));
  EXPECT_EQ(found.last_pass, 70);
  EXPECT_EQ(found.first_fail, 72);
}

TEST(a_search, does_not_go_beyond_the_largest_concurrency) {
  search_box box{.limit = 1000};
  const passing_range found = box.over({{12, passed}, {16, passed}}, 8, 30);
  EXPECT_THAT(box.tried, ElementsAre(20, 28, 30));
  EXPECT_EQ(found.last_pass, 30);
  EXPECT_FALSE(found.first_fail);
  search_box above{.limit = 1000};
  EXPECT_EQ(above.over({{64, passed}}, 8, 30).last_pass, 64);
  EXPECT_THAT(above.tried, IsEmpty());
}

TEST(a_search, from_a_single_point_begins_with_a_step_of_its_size) {
  search_box box{.limit = 1000};
  static_cast<void>(box.over({{4, passed}}, 3));
  EXPECT_THAT(box.tried, ElementsAre(8, 16, 32));
}

TEST(a_search, ends_at_an_unknown_point) {
  search_box box{.limit = 19, .unknown_at = 18};
  const passing_range found = box.over({{16, passed}, {24, failed}});
  EXPECT_THAT(box.tried, ElementsAre(20, 18));
  EXPECT_EQ(found.last_pass, 16);
  EXPECT_EQ(found.first_fail, 20);
}

TEST(a_search, has_no_overflow_at_the_largest_numbers) {
  constexpr std::int64_t huge = std::int64_t{1} << 62;
  search_box box{.limit = huge};
  static_cast<void>(box.over({{1, passed}, {huge / 2, passed}}, 4, huge));
  EXPECT_EQ(box.tried.back(), huge);
}

TEST(the_summary_of_a_search, has_numbers_and_nulls) {
  EXPECT_EQ(summary_text("serving_a", "inf", {3000, 62.5}, {16, {}}, {20, 21}),
            R"({
  "test_name": "serving_a",
  "qps": "inf",
  "sla_ttft_ms": 3000.0,
  "sla_tpot_ms": 62.5,
  "static_last_pass": 16,
  "static_first_fail": null,
  "final_last_pass": 20,
  "final_first_fail": 21
}
)");
}

}  // namespace
}  // namespace inferbench::perf
