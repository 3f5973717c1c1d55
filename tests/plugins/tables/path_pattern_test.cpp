#include "datasets/tables/path_pattern.hpp"

#include <string>

#include <gtest/gtest.h>

namespace tables {
namespace {

TEST(path_patterns, without_wildcards_match_only_themselves) {
  EXPECT_TRUE(matches_path("data/train.json", "data/train.json"));
  EXPECT_FALSE(matches_path("data/train.json", "data/train.jsonl"));
  EXPECT_FALSE(matches_path("train.json", "data/train.json"));
  EXPECT_TRUE(matches_path("", ""));
}

TEST(path_patterns, a_star_stays_in_its_folder) {
  EXPECT_TRUE(matches_path("data/train-*", "data/train-00000-of-00001.parquet"));
  EXPECT_TRUE(matches_path("*.csv", "a.csv"));
  EXPECT_FALSE(matches_path("*.csv", "b/a.csv"));
  EXPECT_FALSE(matches_path("data/*", "data/more/a.csv"));
  EXPECT_TRUE(matches_path("*/*.csv", "b/a.csv"));
}

TEST(path_patterns, two_stars_go_through_folders) {
  EXPECT_TRUE(matches_path("**", "a/b/c.csv"));
  EXPECT_TRUE(matches_path("**/train.csv", "train.csv"));
  EXPECT_TRUE(matches_path("**/train.csv", "a/b/train.csv"));
  EXPECT_TRUE(matches_path("data/**", "data/a/b.csv"));
  EXPECT_TRUE(matches_path("data/**/*.csv", "data/b.csv"));
  EXPECT_FALSE(matches_path("data/**", "other/b.csv"));
}

TEST(path_patterns, have_sets_and_single_characters) {
  EXPECT_TRUE(matches_path("a?c", "abc"));
  EXPECT_FALSE(matches_path("a?c", "a/c"));
  EXPECT_TRUE(matches_path("x-[0-9][0-9]", "x-42"));
  EXPECT_FALSE(matches_path("x-[0-9]", "x-a"));
  EXPECT_TRUE(matches_path("[!a]b", "cb"));
  EXPECT_FALSE(matches_path("[!a]b", "ab"));
  EXPECT_FALSE(matches_path("[!a]b", "/b"));
  EXPECT_TRUE(matches_path("[]x]", "]"));
  EXPECT_TRUE(matches_path("a[b", "a[b"));
}

TEST(path_patterns, with_many_stars_take_little_time) {
  const std::string path(1000, 'a');
  std::string pattern;
  for (int i = 0; i < 300; ++i)
    pattern += "*a*";
  EXPECT_FALSE(matches_path(pattern + "b", path));
  EXPECT_FALSE(matches_path(std::string(5000, '*'), path));
}

}  // namespace
}  // namespace tables
