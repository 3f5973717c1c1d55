#include "run/journal_path.hpp"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::run {
namespace {

TEST(run_name, is_a_valid_file_name_and_contains_the_time) {
  EXPECT_THAT(run_name(1'790'000'000'000'000'000),
              ::testing::MatchesRegex("inferbench-20[0-9]+-[0-9]+-[0-9]+"));
}

using std::filesystem::path;

std::optional<path> path_of(const config::result_files& files, const place_in_series& which = {}) {
  return journal_place(files, "x", which).path();
}

TEST(journal_place, is_none_unless_results_are_saved) {
  EXPECT_EQ(path_of(config::result_files{}), std::nullopt);
}

class saved_results : public ::testing::Test {
 protected:
  saved_results() {
    files.saved = true;
    files.folder = folder.path("new/folder");
  }

  support::temporary_folder folder;
  config::result_files files;
};

TEST_F(saved_results, have_a_journal_beside_them_in_a_folder_that_is_made) {
  const journal_place place(files, "x");
  EXPECT_EQ(place.path(), files.folder + "/x.journal");
  EXPECT_EQ(place.name(), "x");
  EXPECT_TRUE(std::filesystem::exists(*place.path()));
}

TEST_F(saved_results, of_two_runs_of_one_name_have_two_journals) {
  const journal_place first(files, "x");
  const journal_place second(files, "x");
  const journal_place third(files, "x");
  EXPECT_EQ(second.path(), files.folder + "/x-2.journal");
  EXPECT_EQ(second.name(), "x-2");
  EXPECT_EQ(third.name(), "x-3");
}

TEST_F(saved_results, lose_a_journal_that_has_stayed_empty_and_no_other) {
  const std::string written = folder.path("new/folder/x.journal");
  {
    const journal_place used(files, "x");
    const journal_place unused(files, "x");
    folder.write("new/folder/x.journal", "something");
  }
  EXPECT_TRUE(std::filesystem::exists(written));
  EXPECT_FALSE(std::filesystem::exists(folder.path("new/folder/x-2.journal")));
}

TEST_F(saved_results, have_the_journal_that_the_user_names) {
  files.journal = "mine.journal";
  EXPECT_EQ(path_of(files), "mine.journal");
  files.journal = "none";
  EXPECT_EQ(path_of(files), std::nullopt);
}

TEST_F(saved_results, need_a_folder_that_can_be_made) {
  folder.write("new", "a file");
  EXPECT_THROW(static_cast<void>(path_of(files)), base::error);
}

TEST(numbered, distinguishes_the_runs_of_a_series) {
  EXPECT_EQ(numbered("a/b.json", {2, 3}), "a/b-run2.json");
  EXPECT_EQ(numbered("b", {1, 3}), "b-run1");
  EXPECT_EQ(numbered("a.b/c", {1, 3}), "a.b/c-run1");
  EXPECT_EQ(numbered("a/b.json", {1, 1}), "a/b.json");
  EXPECT_EQ(numbered("", {2, 3}), "");
  EXPECT_THAT(run_name(0, {2, 3}), ::testing::EndsWith("-run2"));
}

TEST(journal_place, that_the_user_gave_is_numbered_in_a_series) {
  config::result_files files;
  files.journal = "mine.journal";
  EXPECT_EQ(path_of(files, {2, 3}), "mine-run2.journal");
  files.journal = "none";
  EXPECT_EQ(path_of(files, {2, 3}), std::nullopt);
}

}  // namespace
}  // namespace inferbench::run
