#include "datasets/tables/card.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/guard.hpp>

namespace tables {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<card_config> read_configs(const std::string& configs) {
  return read_card("---\nlicense: mit\nconfigs:\n" + configs + "dataset_info: x\n---\ntext\n");
}

TEST(cards, declare_subsets_with_splits_and_files) {
  const auto configs = read_configs(
      "- config_name: main\n  data_files:\n  - split: train\n    path: main/train-*\n"
      "  - split: test\n    path:\n    - a.csv\n    - \"b/*.csv\"\n"
      "- config_name: socratic\n  default: true\n  data_dir: s\n");
  ASSERT_EQ(configs.size(), 2U);
  EXPECT_EQ(configs[0].name, "main");
  EXPECT_FALSE(configs[0].is_default);
  ASSERT_EQ(configs[0].splits.size(), 2U);
  EXPECT_EQ(configs[0].splits[0].name, "train");
  EXPECT_THAT(configs[0].splits[0].patterns, ElementsAre("main/train-*"));
  EXPECT_THAT(configs[0].splits[1].patterns, ElementsAre("a.csv", "b/*.csv"));
  EXPECT_TRUE(configs[1].is_default);
  EXPECT_EQ(configs[1].folder, "s");
  EXPECT_TRUE(configs[1].splits.empty());
}

TEST(cards, have_files_in_four_forms) {
  for (const char* files :
       {"\"*.csv\"", "['*.csv']", "{train: '*.csv'}", "[{split: train, path: '*.csv'}]"}) {
    const auto configs =
        read_configs("- config_name: a\n  data_files: " + std::string(files) + "\n");
    ASSERT_EQ(configs.at(0).splits.size(), 1U) << files;
    EXPECT_EQ(configs[0].splits[0].name, "train");
    EXPECT_THAT(configs[0].splits[0].patterns, ElementsAre("*.csv"));
  }
}

TEST(cards, have_a_default_subset) {
  EXPECT_TRUE(read_configs("- config_name: only\n").at(0).is_default);
  const auto two = read_configs("- config_name: a\n- config_name: default\n");
  EXPECT_FALSE(two.at(0).is_default);
  EXPECT_TRUE(two.at(1).is_default);
}

TEST(cards, may_declare_nothing) {
  EXPECT_TRUE(read_card("# Title\n").empty());
  EXPECT_TRUE(read_card("").empty());
  EXPECT_TRUE(read_card("---\nlicense: mit\n---\n").empty());
}

TEST(cards, of_another_form_are_refused) {
  const auto refusal = [](const std::string& configs) {
    try {
      (void)read_configs(configs);
    } catch (const ifb::failure& e) {
      EXPECT_EQ(e.code(), IFB_E_DATA);
      return e.message();
    }
    return std::string("nothing was refused");
  };
  EXPECT_THAT(refusal("- data_files: x\n"), HasSubstr("README.md: an entry of configs has a"));
  EXPECT_THAT(refusal("- config_name: a\n  data_files: [{split: x}]\n"),
              HasSubstr("split and path"));
  EXPECT_THAT(refusal("- config_name: a\n  data_files: []\n"), HasSubstr("has no path"));
  EXPECT_THAT(refusal("- config_name: [a\n"), HasSubstr("README.md: line 3"));
}

}  // namespace
}  // namespace tables
