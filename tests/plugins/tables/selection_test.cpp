#include "datasets/tables/selection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/tables/tables_bench.hpp"

namespace tables {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class selections : public tables_test::bench {
 protected:
  std::vector<selected_split> select(const request& what) {
    hub::environment offline;
    offline.offline = true;
    origin from(host(), offline, what.path, what.revision);
    return select_files(host(), from, what);
  }
  request of_folder(std::optional<std::string> split = std::nullopt) {
    request out;
    out.path = folder_.path();
    out.split = std::move(split);
    return out;
  }
  ifb::failure refusal(const request& what) {
    return failure_of([&] { select(what); });
  }
};

TEST_F(selections, take_train_if_no_split_was_named) {
  folder_.write("test.json", "");
  folder_.write("train.json", "");
  const auto found = select(of_folder());
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].files, ElementsAre("train.json"));
  EXPECT_EQ(log(), "");
}

TEST_F(selections, take_the_first_split_with_a_line_if_there_is_no_train) {
  folder_.write("test.json", "");
  folder_.write("dev.json", "");
  EXPECT_THAT(select(of_folder()).at(0).files, ElementsAre("dev.json"));
  EXPECT_THAT(log(), HasSubstr("taking \"validation\" of validation, test (--hf-split chooses)"));
}

TEST_F(selections, take_a_split_under_another_name_with_a_line) {
  folder_.write("eval.json", "");
  EXPECT_THAT(select(of_folder("eval")).at(0).files, ElementsAre("eval.json"));
  EXPECT_THAT(log(), HasSubstr("the split eval is called test there"));
}

TEST_F(selections, tell_the_splits_if_there_is_none_of_the_name) {
  folder_.write("train.json", "");
  folder_.write("test.json", "");
  const ifb::failure e = refusal(of_folder("gold"));
  EXPECT_EQ(e.option(), "hf-split");
  EXPECT_EQ(e.message(), folder_.path() + " has no split \"gold\"; it has train, test");
}

TEST_F(selections, have_slices_and_sums_only_of_whole_data_sets) {
  folder_.write("train.json", "");
  folder_.write("test.json", "");
  request what = of_folder("train[:10]+test");
  EXPECT_EQ(refusal(what).option(), "hf-split");
  EXPECT_THAT(refusal(what).message(), HasSubstr("--no-stream"));
  what.whole = true;
  const auto found = select(what);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].slice.to, 10);
  EXPECT_THAT(found[1].files, ElementsAre("test.json"));
}

TEST_F(selections, take_a_single_file_as_the_split_whatever_it_is_called) {
  request what;
  what.path = folder_.write("test.json", "");
  for (const char* split : {"train", "test", "validation"}) {
    what.split = split;
    EXPECT_THAT(select(what).at(0).files, ElementsAre("test.json"));
  }
}

TEST_F(selections, warn_of_missing_shards) {
  folder_.write("data/train-00000-of-00003.parquet", "");
  folder_.write("data/train-00002-of-00003.parquet", "");
  EXPECT_EQ(select(of_folder()).at(0).files.size(), 2U);
  EXPECT_THAT(log(), HasSubstr("only 2 of the 3 files of the split train are there"));
}

TEST_F(selections, explain_a_split_of_the_card_without_files) {
  folder_.write("README.md",
                "---\nconfigs:\n- config_name: a\n  data_files:\n  - split: train\n"
                "    path: x.json\n  - split: test\n    path: y.json\n---\n");
  folder_.write("x.json", "");
  EXPECT_EQ(select(of_folder()).at(0).files.size(), 1U);
  EXPECT_THAT(refusal(of_folder("test")).message(),
              HasSubstr("the files that README.md names for the split test are not there"));
}

TEST_F(selections, refuse_paths_that_are_no_data_set) {
  request what;
  what.path = folder_.path("none.json");
  EXPECT_EQ(refusal(what).message(), "there is no file " + what.path);
  what.path = folder_.write("x.txt", "");
  EXPECT_THAT(refusal(what).message(), HasSubstr("its name must end with .parquet"));
  what.path = "no/such/folder";
  EXPECT_THAT(refusal(what).message(), HasSubstr("there is no folder \"no/such/folder\""));
  EXPECT_EQ(refusal(what).option(), "path");
}

}  // namespace
}  // namespace tables
