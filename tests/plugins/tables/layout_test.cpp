#include "datasets/tables/layout.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/guard.hpp>

namespace tables {
namespace {

using strings = std::vector<std::string>;
using testing::ElementsAre;
using testing::HasSubstr;

/// "train=a,b; test=c"
std::string shown(const split_list& splits) {
  std::string out;
  for (const file_split& split : splits) {
    out += (out.empty() ? "" : "; ") + split.name + "=";
    for (const std::string& file : split.files)
      out += (&file == &split.files.front() ? "" : ",") + file;
  }
  return out;
}
std::string by_names(strings files, const std::string& folder = "") {
  std::ranges::sort(files);
  return shown(splits_by_names(folder, files));
}
std::string by_card(const card_config& config, strings files) {
  std::ranges::sort(files);
  return shown(splits_of_card(config, files));
}

TEST(layouts, know_numbered_files_of_the_folder_data_with_any_split) {
  EXPECT_EQ(by_names({"data/odd.name-00000-of-00001.parquet", "data/test-00000-of-00001.parquet",
                      "data/train-00001-of-00002.parquet", "data/train-00000-of-00002.parquet",
                      "train.csv"}),
            "train=data/train-00000-of-00002.parquet,data/train-00001-of-00002.parquet; "
            "test=data/test-00000-of-00001.parquet; odd.name=data/odd.name-00000-of-00001.parquet");
}

TEST(layouts, know_splits_by_words_in_names_of_files) {
  EXPECT_EQ(by_names({"main/train-00000-of-00001.parquet", "main/test-00000-of-00001.parquet"}),
            "train=main/train-00000-of-00001.parquet; test=main/test-00000-of-00001.parquet");
  EXPECT_EQ(by_names({"train.jsonl", "eval.jsonl", "dpo.jsonl"}),
            "train=train.jsonl; test=eval.jsonl");
  EXPECT_EQ(by_names({"my_dev.csv", "x-val-2.csv", "validation1.csv"}),
            "validation=validation1.csv,my_dev.csv,x-val-2.csv");
  EXPECT_EQ(by_names({"train_eval.csv"}), "train=train_eval.csv; test=train_eval.csv");
}

TEST(layouts, words_have_borders) {
  EXPECT_EQ(by_names({"trains.csv", "latest.csv", "developer.csv"}),
            "train=developer.csv,latest.csv,trains.csv");
  EXPECT_EQ(by_names({"constrain.json", "Test.json"}), "train=Test.json,constrain.json");
}

TEST(layouts, know_splits_by_words_in_names_of_folders_first) {
  EXPECT_EQ(by_names({"clean/test/0000.parquet", "clean/test/0001.parquet", "train.csv"}),
            "test=clean/test/0000.parquet,clean/test/0001.parquet");
  EXPECT_EQ(by_names({"train-clean/a.json", "dev.1/b.json"}),
            "train=train-clean/a.json; validation=dev.1/b.json");
}

TEST(layouts, without_words_have_the_split_train) {
  EXPECT_EQ(by_names({"b.json", "a.json"}), "train=a.json,b.json");
  EXPECT_EQ(by_names({}), "");
  EXPECT_EQ(by_names({"a.arrow", "b.py"}), "");
}

TEST(layouts, leave_out_files_without_rows) {
  EXPECT_EQ(by_names({".hidden.json", ".git/a.json", "__pycache__/a.json", "dataset_infos.json",
                      "README.md", "a.json", "x/_b.json"}),
            "train=a.json,x/_b.json");
}

TEST(layouts, keep_the_most_frequent_format) {
  EXPECT_EQ(by_names({"a.csv", "b.json", "c.jsonl"}), "train=b.json,c.jsonl");
  EXPECT_EQ(by_names({"a.csv", "b.parquet"}), "train=b.parquet");
}

TEST(layouts, of_a_folder_have_only_its_files) {
  EXPECT_EQ(by_names({"main/train.csv", "other/train.csv", "mainly/train.csv"}, "main"),
            "train=main/train.csv");
}

TEST(layouts, of_a_card_follow_its_patterns) {
  const strings files{"data/train-0.parquet", "data/train-1.parquet", "data/validation.jsonl",
                      "data/.hidden.jsonl", "more/x.csv"};
  EXPECT_EQ(by_card({.name = "a",
                     .splits = {{"train", {"data/train-*"}},
                                {"val", {"./data/validation.jsonl"}},
                                {"none", {"nothing/*"}},
                                {"folder", {"more/"}}}},
                    files),
            "train=data/train-0.parquet,data/train-1.parquet; val=data/validation.jsonl; none=; "
            "folder=more/x.csv");
  EXPECT_EQ(by_card({.name = "a", .folder = "data", .splits = {{"t", {"train-1*"}}}}, files),
            "t=data/train-1.parquet");
  EXPECT_EQ(by_card({.name = "a", .folder = "data"}, files),
            "train=data/train-0.parquet,data/train-1.parquet; validation=data/validation.jsonl");
  EXPECT_EQ(by_card({.name = "a", .splits = {{"t", {"data/.*"}}}}, files), "t=data/.hidden.jsonl");
}

TEST(layouts, of_a_card_refuse_paths_out_of_the_data_set) {
  for (const char* bad : {"../secret.json", "/etc/passwd", "a/../../b", "https://x/y.json"}) {
    try {
      (void)by_card({.name = "a", .splits = {{"train", {bad}}}}, {"a.json"});
      ADD_FAILURE() << bad;
    } catch (const ifb::failure& e) {
      EXPECT_EQ(e.code(), IFB_E_DATA);
      EXPECT_THAT(e.message(), HasSubstr(std::string(bad) + "\", which is not inside"));
    }
  }
}

TEST(layouts, of_conversions_have_a_folder_for_each_split) {
  const strings files{"ami/test/0000.parquet", "ami/test/0001.parquet",
                      "ami/partial-train/0000.parquet", "other/train/0000.parquet", "x.parquet"};
  EXPECT_EQ(shown(splits_of_conversion("ami", files)),
            "test=ami/test/0000.parquet,ami/test/0001.parquet; "
            "train=ami/partial-train/0000.parquet");
  EXPECT_THAT(top_folders(files), ElementsAre("ami", "other"));
}

TEST(layouts, find_splits_by_their_synonyms) {
  const split_list splits{{"train", {}}, {"validation", {}}, {"test", {}}};
  EXPECT_EQ(find_split(splits, "val")->name, "validation");
  EXPECT_EQ(find_split(splits, "eval")->name, "test");
  EXPECT_EQ(find_split(splits, "test")->name, "test");
  EXPECT_EQ(find_split(splits, "other"), nullptr);
  EXPECT_EQ(names_of(splits), "train, validation, test");
}

}  // namespace
}  // namespace tables
