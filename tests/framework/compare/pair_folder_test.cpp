#include "compare/pair_folder.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run_box.hpp"

namespace inferbench::compare {
namespace {

using testing::HasSubstr;

const pair_identity two_arms{{"a.toml", "b.toml"}, {"1", "2"}};

TEST(the_folder_of_a_comparison, keeps_its_identity_when_it_is_continued) {
  const run_box box;
  const std::string path = box.folder.path("c");
  std::string id;
  {
    const pair_folder first(path, two_arms, 8, false);
    id = first.id();
    EXPECT_EQ(id.size(), 16U);
    std::filesystem::create_directories(first.part());
  }
  const pair_folder again(path, two_arms, 12, true);
  EXPECT_EQ(again.id(), id);
  EXPECT_EQ(again.first_blocks(), 8U);
  EXPECT_FALSE(std::filesystem::exists(again.part()));
}

TEST(the_folder_of_a_comparison, is_not_begun_in_a_folder_with_files) {
  const run_box box;
  box.folder.write("c/x", "");
  EXPECT_THAT(box.refusal([&] { pair_folder(box.folder.path("c"), two_arms, 8, false); }),
              HasSubstr("c is there already; --resume continues"));
  EXPECT_THAT(box.refusal([&] { pair_folder(box.folder.path("c"), two_arms, 8, true); }),
              HasSubstr("c has no comparison to resume"));
  EXPECT_THAT(box.refusal([&] { pair_folder(box.folder.path("d"), two_arms, 8, true); }),
              HasSubstr("d has no comparison to resume"));
  EXPECT_FALSE(std::filesystem::exists(box.folder.path("d")));
}

TEST(the_folder_of_a_comparison, does_not_mix_settings) {
  const run_box box;
  const std::string path = box.folder.path("c");
  (void)pair_folder(path, two_arms, 8, false);
  const auto continued = [&](const pair_identity& with) {
    return box.refusal([&] { pair_folder(path, with, 8, true); });
  };
  EXPECT_THAT(
      continued({{"a.toml", "b.toml"}, {"1", "3"}}),
      HasSubstr("the settings of b.toml have changed since the first runs of this comparison; "
                "continue with the same files, --set and --metric"));
  EXPECT_THAT(continued({{"b.toml", "a.toml"}, {"2", "1"}}),
              HasSubstr("has the arm a.toml, not b.toml"));
  EXPECT_EQ(continued(two_arms), "");
}

TEST(the_folder_of_a_comparison, belongs_to_one_process) {
  const run_box box;
  const pair_folder first(box.folder.path("c"), two_arms, 8, false);
  EXPECT_THAT(box.refusal([&] { pair_folder(box.folder.path("c"), two_arms, 8, true); }),
              HasSubstr("works in"));
}

TEST(the_folder_of_a_comparison, says_that_its_description_is_damaged) {
  const run_box box;
  const std::string path = box.folder.path("c");
  (void)pair_folder(path, two_arms, 8, false);
  for (const char* text : {"", "{}", "[]", R"({"id": "x", "blocks": 0})"}) {
    std::ofstream(path + "/.compare.json") << text;
    EXPECT_THAT(box.refusal([&] { pair_folder(path, two_arms, 8, true); }),
                HasSubstr(".compare.json"))
        << text;
  }
}

}  // namespace
}  // namespace inferbench::compare
