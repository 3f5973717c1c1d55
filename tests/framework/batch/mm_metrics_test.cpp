#include "batch/mm_metrics.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inferbench::batch {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

// The form of SGLang's page: the label sets of two kinds of media.
const std::string stages_before =
    "# HELP sglang:encoder_preprocess_seconds Data loading and preprocessing latency.\n"
    "# TYPE sglang:encoder_preprocess_seconds histogram\n"
    "sglang:encoder_preprocess_seconds_sum{modality=\"image\"} 1.0\n"
    "sglang:encoder_preprocess_seconds_bucket{le=\"0.1\",modality=\"image\"} 3.0\n"
    "sglang:encoder_preprocess_seconds_bucket{le=\"1.0\",modality=\"image\"} 4.0\n"
    "sglang:encoder_preprocess_seconds_bucket{le=\"+Inf\",modality=\"image\"} 4.0\n"
    "sglang:encoder_preprocess_seconds_count{modality=\"image\"} 4.0\n";
const std::string stages_after =
    "sglang:encoder_preprocess_seconds_sum{modality=\"image\"} 2.0\n"
    "sglang:encoder_preprocess_seconds_bucket{le=\"0.1\",modality=\"image\"} 6.0\n"
    "sglang:encoder_preprocess_seconds_bucket{le=\"1.0\",modality=\"image\"} 8.0\n"
    "sglang:encoder_preprocess_seconds_bucket{le=\"+Inf\",modality=\"image\"} 8.0\n"
    "sglang:encoder_preprocess_seconds_count{modality=\"image\"} 8.0\n"
    "sglang:encoder_preprocess_seconds_sum{modality=\"video\"} 5.0\n"
    "sglang:encoder_preprocess_seconds_bucket{le=\"0.1\",modality=\"video\"} 0.0\n"
    "sglang:encoder_preprocess_seconds_bucket{le=\"1.0\",modality=\"video\"} 0.0\n"
    "sglang:encoder_preprocess_seconds_bucket{le=\"+Inf\",modality=\"video\"} 1.0\n"
    "sglang:encoder_preprocess_seconds_count{modality=\"video\"} 1.0\n"
    "sglang:encoder_model_forward_seconds_sum 0.5\n"
    "sglang:encoder_model_forward_seconds_count 5\n";

std::vector<observed_stage> stages_of_run(const std::string& before, const std::string& after) {
  return stages_between(read_stages(before), read_stages(after));
}

TEST(mm_metrics, a_stage_has_the_mean_of_its_observations_between_two_readings) {
  const auto stages = stages_of_run(stages_before, stages_after);
  ASSERT_THAT(stages, SizeIs(2));
  EXPECT_EQ(stages[0].name, "preprocessor_total_secs");
  EXPECT_EQ(stages[0].count, 5);
  EXPECT_DOUBLE_EQ(stages[0].mean_s, 1.2);
  EXPECT_EQ(stages[1].name, "encoder_forward_secs");
  EXPECT_DOUBLE_EQ(stages[1].mean_s, 0.1);
  EXPECT_EQ(stages[1].count, 5);
}

TEST(mm_metrics, the_measures_are_the_means_and_the_calls_of_the_encoder) {
  const auto measures = stage_measures(stages_of_run(stages_before, stages_after));
  ASSERT_THAT(measures, SizeIs(3));
  EXPECT_EQ(measures[0].name, "preprocessor_total_secs");
  EXPECT_EQ(measures[0].unit, "s");
  EXPECT_EQ(measures[1].name, "encoder_forward_secs");
  EXPECT_EQ(measures[2].name, "num_encoder_calls");
  EXPECT_EQ(measures[2].unit, "1");
  EXPECT_EQ(measures[2].value, 5);
}

TEST(mm_metrics, a_page_without_stages_has_none) {
  EXPECT_THAT(read_stages("vllm:mm_cache_queries_total{engine=\"0\"} 12.0\n"), IsEmpty());
  EXPECT_THAT(read_stages(""), IsEmpty());
  EXPECT_THAT(stages_of_run("", ""), IsEmpty());
}

TEST(mm_metrics, a_stage_without_new_observations_is_left_out) {
  EXPECT_THAT(stages_of_run(stages_after, stages_after), IsEmpty());
}

TEST(mm_metrics, a_histogram_that_was_reset_is_left_out) {
  EXPECT_THAT(stages_of_run(stages_after, stages_before), IsEmpty());
}

TEST(mm_metrics, a_sum_that_became_smaller_is_left_out) {
  EXPECT_THAT(stages_of_run("sglang:encoder_model_forward_seconds_count 1\n"
                            "sglang:encoder_model_forward_seconds_sum 9\n",
                            "sglang:encoder_model_forward_seconds_count 2\n"
                            "sglang:encoder_model_forward_seconds_sum 3\n"),
              IsEmpty());
}

TEST(mm_metrics, values_that_cannot_be_are_left_out) {
  EXPECT_THAT(read_stages("sglang:encoder_model_forward_seconds_count NaN\n"
                          "sglang:encoder_model_forward_seconds_count -4\n"
                          "sglang:encoder_model_forward_seconds_sum +Inf\n"
                          "sglang:encoder_model_forward_seconds_countless 9\n"),
              IsEmpty());
}

TEST(mm_metrics, the_histograms_of_several_pages_are_added) {
  stage_histograms sum = read_stages(stages_before);
  add_stages(sum, read_stages(stages_after));
  const stage_histogram& stage = sum.at("preprocessor_total_secs");
  EXPECT_EQ(stage.count, 13);
  EXPECT_EQ(stage.seconds, 8);
}

}  // namespace
}  // namespace inferbench::batch
