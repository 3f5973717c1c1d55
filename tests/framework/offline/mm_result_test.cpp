#include "offline/mm_result.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inferbench::offline {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

const std::vector<double> p99{99};

TEST(mm_result, times_are_in_ms_and_counts_stay) {
  const mm_result result{{{true,
                           {{"apply_hf_processor_secs", 0.5, true},
                            {"hashing_time", 0.25, true},
                            {"num_encoder_calls", 3, false}},
                           1.0}},
                         2};
  const mm_statistics found = statistics_of(result, p99);
  ASSERT_THAT(found.stages, SizeIs(3));
  EXPECT_EQ(found.stages[0].name, "apply_hf_processor_ms");
  EXPECT_EQ(found.stages[0].statistics.mean, 500);
  EXPECT_EQ(found.stages[1].name, "hashing_time");
  EXPECT_EQ(found.stages[1].statistics.mean, 250);
  EXPECT_EQ(found.stages[2].name, "num_encoder_calls");
  EXPECT_EQ(found.stages[2].statistics.mean, 3);
  EXPECT_THAT(found.warnings, IsEmpty());
}

TEST(mm_result, stages_are_in_the_order_of_their_first_occurrence) {
  const mm_result result{
      {{true, {{"b_secs", 1, true}}, 1.0}, {true, {{"a_secs", 2, true}, {"b_secs", 3, true}}, 1.0}},
      2};
  const mm_statistics found = statistics_of(result, p99);
  ASSERT_THAT(found.stages, SizeIs(2));
  EXPECT_THAT(found.stages[0].values, ElementsAre(1000, 3000));
  EXPECT_THAT(found.stages[1].values, ElementsAre(2000));
}

TEST(mm_result, encoder_calls_are_counted_if_the_engine_counts_them) {
  const auto request = [](double calls) {
    return mm_request{true, {{"num_encoder_calls", calls, false}}, 1.0};
  };
  const mm_statistics found = statistics_of({{request(2), request(0), request(3)}, 1}, p99);
  EXPECT_EQ(found.encoder_calls, 5U);
  EXPECT_EQ(found.requests_with_encoder, 2U);
  EXPECT_EQ(statistics_of({{{true, {}, 1.0}}, 1}, p99).encoder_calls, std::nullopt);
  EXPECT_EQ(statistics_of({{request(1e300), request(-5)}, 1}, p99).encoder_calls,
            9'000'000'000'000'000U);
}

TEST(mm_result, requests_without_times_share_the_elapsed_time) {
  const mm_statistics found =
      statistics_of({{{true, {}, {}}, {true, {}, {}}, {false, {}, {}}}, 3}, p99);
  EXPECT_EQ(found.completed, 2U);
  EXPECT_EQ(found.failed, 1U);
  EXPECT_EQ(found.end_to_end.mean, 1500);
  EXPECT_THAT(found.warnings, SizeIs(2));
}

TEST(mm_result, requests_with_times_decide_if_there_are_any) {
  const mm_statistics found = statistics_of({{{true, {}, {}}, {true, {}, 40.0}}, 3}, p99);
  EXPECT_EQ(found.end_to_end.mean, 40);
  EXPECT_THAT(found.warnings, SizeIs(1));
}

TEST(mm_result, nothing_at_all_is_0) {
  const mm_statistics found = statistics_of(mm_result{}, p99);
  EXPECT_EQ(found.completed, 0U);
  EXPECT_EQ(found.end_to_end.mean, 0);
  EXPECT_EQ(found.end_to_end.percentiles.front().second, 0);
}

TEST(mm_result, the_end_to_end_latency_is_from_arrival_to_the_last_token) {
  EXPECT_EQ(end_to_end_ms(1'000'000, 3'000'000, 8'000'000), 7);
  EXPECT_EQ(end_to_end_ms(1'000'000, 3'000'000, 2'000'000), 2);
  EXPECT_EQ(end_to_end_ms(0, 3, 8), std::nullopt);
  EXPECT_EQ(end_to_end_ms(5, 3, 8), std::nullopt);
  EXPECT_EQ(end_to_end_ms(5, 8, 0), std::nullopt);
}

}  // namespace
}  // namespace inferbench::offline
