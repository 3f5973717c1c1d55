#include "datasets/tables/subset.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/tables/tables_bench.hpp"

namespace tables {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class subsets : public tables_test::bench {
 protected:
  split_list splits(const std::optional<std::string>& name = std::nullopt) {
    hub::environment offline;
    offline.offline = true;
    origin from(host(), offline, folder_.path(), "main");
    return splits_of_subset(host(), from, name, again_);
  }
  ifb::failure refusal(const std::optional<std::string>& name = std::nullopt) {
    return failure_of([&] { splits(name); });
  }
  void write_card(const std::string& configs) {
    folder_.write("README.md", "---\nconfigs:\n" + configs + "---\n");
  }

  bool again_ = false;
};

TEST_F(subsets, of_a_card_have_a_default) {
  write_card(
      "- config_name: a\n  data_files: a.json\n"
      "- config_name: b\n  default: true\n  data_files: b.json\n");
  folder_.write("a.json", "");
  folder_.write("b.json", "");
  EXPECT_EQ(splits().at(0).files.at(0), "b.json");
  EXPECT_EQ(splits("a").at(0).files.at(0), "a.json");
  EXPECT_EQ(log(), "");
}

TEST_F(subsets, without_a_default_are_chosen_with_a_line) {
  write_card("- config_name: a\n  data_files: a.json\n- config_name: b\n  data_files: b.json\n");
  folder_.write("a.json", "");
  EXPECT_EQ(splits().at(0).files.at(0), "a.json");
  EXPECT_THAT(log(), HasSubstr("taking \"a\" of a, b (--hf-subset chooses)"));
}

TEST_F(subsets, that_do_not_exist_are_refused_with_those_that_do) {
  write_card("- config_name: a\n  data_files: a.json\n- config_name: b\n  data_files: b.json\n");
  folder_.write("a.json", "");
  EXPECT_EQ(refusal("c").option(), "hf-subset");
  EXPECT_EQ(refusal("c").message(), folder_.path() + " has no subset \"c\"; it has a, b");
}

TEST_F(subsets, without_a_card_are_folders) {
  folder_.write("main/train.json", "");
  folder_.write("socratic/train.json", "");
  EXPECT_EQ(splits("socratic").at(0).files.at(0), "socratic/train.json");
  EXPECT_EQ(splits().at(0).files.size(), 2U);
  EXPECT_EQ(refusal("x").message(), folder_.path() + " has no subset \"x\"; it has main, socratic");
}

TEST_F(subsets, follow_names_of_files_if_the_card_cannot_be_read) {
  write_card("- config_name: [a\n");
  folder_.write("train.json", "");
  EXPECT_EQ(splits().at(0).files.at(0), "train.json");
  const std::string said = log();
  EXPECT_THAT(said, AllOf(HasSubstr("README.md: line 2"), HasSubstr("by the names of files")));
  again_ = true;
  EXPECT_EQ(splits().at(0).files.at(0), "train.json");
  EXPECT_EQ(log(), said);
}

TEST_F(subsets, without_files_that_can_be_read_are_refused) {
  folder_.write("data.arrow", "");
  folder_.write("a/b.tar", "");
  EXPECT_EQ(refusal().message(),
            folder_.path() +
                " has no files that can be read: Parquet, JSON, JSON lines or CSV; it "
                "has files with the endings .arrow, .tar");
  EXPECT_EQ(refusal().option(), "path");
}

}  // namespace
}  // namespace tables
