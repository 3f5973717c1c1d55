#include "run/journal_path.hpp"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inferbench::run {
namespace {

TEST(run_name, can_be_a_file_name_and_tells_the_time) {
  EXPECT_THAT(run_name(1'790'000'000'000'000'000),
              testing::MatchesRegex("inferbench-20[0-9]+-[0-9]+-[0-9]+"));
}

TEST(journal_path, is_none_unless_results_are_saved) {
  config::plan plan;
  EXPECT_EQ(journal_path(plan, "x"), std::nullopt);
}

TEST(journal_path, lies_beside_a_saved_result_in_a_folder_that_is_made) {
  config::plan plan;
  plan.save_result = true;
  plan.result_dir = testing::TempDir() + "journal_path/new/folder";
  EXPECT_EQ(journal_path(plan, "x"), plan.result_dir + "/x.journal");
  EXPECT_TRUE(std::filesystem::is_directory(plan.result_dir));
  std::filesystem::remove_all(testing::TempDir() + "journal_path");
}

TEST(journal_path, is_what_the_user_says) {
  config::plan plan;
  plan.save_result = true;
  plan.journal = "mine.journal";
  EXPECT_EQ(journal_path(plan, "x"), "mine.journal");
  plan.journal = "none";
  EXPECT_EQ(journal_path(plan, "x"), std::nullopt);
}

TEST(numbered, tells_the_runs_of_a_series_apart) {
  EXPECT_EQ(numbered("a/b.json", {2, 3}), "a/b-run2.json");
  EXPECT_EQ(numbered("b", {1, 3}), "b-run1");
  EXPECT_EQ(numbered("a.b/c", {1, 3}), "a.b/c-run1");
  EXPECT_EQ(numbered("a/b.json", {1, 1}), "a/b.json");
  EXPECT_EQ(numbered("", {2, 3}), "");
  EXPECT_THAT(run_name(0, {2, 3}), testing::EndsWith("-run2"));
}

TEST(journal_path, that_the_user_gave_is_numbered_in_a_series) {
  config::plan plan;
  plan.journal = "mine.journal";
  EXPECT_EQ(journal_path(plan, "x", {2, 3}), "mine-run2.journal");
  plan.journal = "none";
  EXPECT_EQ(journal_path(plan, "x", {2, 3}), std::nullopt);
}

}  // namespace
}  // namespace inferbench::run
