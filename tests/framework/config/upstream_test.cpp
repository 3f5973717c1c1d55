#include "config/upstream.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace inferbench::config::upstream {
namespace {

TEST(upstream, a_data_set_of_a_hub_may_be_one_of_ours) {
  EXPECT_EQ(dataset_of_hub_id("gorilla-llm/Berkeley-Function-Calling-Leaderboard"), "bfcl");
  EXPECT_EQ(dataset_of_hub_id("AI-MO/NuminaMath-CoT"), "");
  EXPECT_EQ(dataset_of_hub_id(""), "");
}

TEST(upstream, datasets_that_only_upstream_has_are_known_by_name) {
  for (const char* name : {"random-mm", "custom_image", "custom_audio", "custom_mm"})
    EXPECT_NE(instead_of_dataset(name), "") << name;
  for (const char* name : {"random", "bfcl", "hf", "nonsense", ""})
    EXPECT_EQ(instead_of_dataset(name), "") << name;
}

TEST(upstream, of_its_datasets_only_a_trace_has_times) {
  EXPECT_TRUE(has_no_times("random"));
  EXPECT_TRUE(has_no_times("speed_bench"));
  for (const char* name : {"timed_trace", "conversations", "txt-slices", ""})
    EXPECT_FALSE(has_no_times(name)) << name;
}

TEST(upstream, flags_of_datasets_are_sorted) {
  EXPECT_TRUE(std::ranges::is_sorted(dataset_flags(), {}, &dataset_flag::flag));
}

}  // namespace
}  // namespace inferbench::config::upstream
