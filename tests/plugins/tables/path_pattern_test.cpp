#include "datasets/tables/path_pattern.hpp"

#include <initializer_list>
#include <string>

#include <gtest/gtest.h>

namespace tables {
namespace {

struct pattern_case {
  const char* pattern;
  const char* path;
  bool matches;
};

void expect_all(std::initializer_list<pattern_case> cases) {
  for (const auto& [pattern, path, matches] : cases)
    EXPECT_EQ(matches_path(pattern, path), matches) << pattern << " and " << path;
}

TEST(path_patterns, without_wildcards_match_only_themselves) {
  expect_all({{"data/train.json", "data/train.json", true},
              {"data/train.json", "data/train.jsonl", false},
              {"train.json", "data/train.json", false},
              {"", "", true}});
}

TEST(path_patterns, a_star_stays_in_its_folder) {
  expect_all({{"data/train-*", "data/train-00000-of-00001.parquet", true},
              {"*.csv", "a.csv", true},
              {"*.csv", "b/a.csv", false},
              {"data/*", "data/more/a.csv", false},
              {"*/*.csv", "b/a.csv", true}});
}

TEST(path_patterns, two_stars_go_through_folders) {
  expect_all({{"**", "a/b/c.csv", true},
              {"**/train.csv", "train.csv", true},
              {"**/train.csv", "a/b/train.csv", true},
              {"data/**", "data/a/b.csv", true},
              {"data/**/*.csv", "data/b.csv", true},
              {"data/**", "other/b.csv", false}});
}

TEST(path_patterns, have_sets_and_single_characters) {
  expect_all({{"a?c", "abc", true},
              {"a?c", "a/c", false},
              {"x-[0-9][0-9]", "x-42", true},
              {"x-[0-9]", "x-a", false},
              {"[!a]b", "cb", true},
              {"[!a]b", "ab", false},
              {"[!a]b", "/b", false},
              {"[]x]", "]", true},
              {"a[b", "a[b", true}});
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
