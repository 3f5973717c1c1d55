#include "tune/result_folder.hpp"

#include <ctime>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error_text.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::tune {
namespace {

namespace fs = std::filesystem;

std::time_t local_time() {
  std::tm local{};
  local.tm_year = 126;
  local.tm_mon = 0;
  local.tm_mday = 2;
  local.tm_hour = 3;
  local.tm_min = 4;
  local.tm_isdst = -1;
  return std::mktime(&local);
}

TEST(the_folder_of_a_tuning, has_the_local_time_in_its_name) {
  const support::temporary_folder box;
  const fs::path folder = make_result_folder(box.path(), local_time());
  EXPECT_EQ(folder, fs::path(box.path()) / "auto-benchmark/2026_01_02_03_04");
  EXPECT_TRUE(fs::is_directory(folder));
}

TEST(the_folder_of_a_tuning, is_never_that_of_another_tuning) {
  const support::temporary_folder box;
  static_cast<void>(make_result_folder(box.path(), local_time()));
  EXPECT_EQ(make_result_folder(box.path(), local_time()).filename(), "2026_01_02_03_04-2");
  EXPECT_EQ(make_result_folder(box.path(), local_time()).filename(), "2026_01_02_03_04-3");
}

TEST(the_folder_of_a_tuning, that_cannot_be_made_is_an_error) {
  const support::temporary_folder box;
  box.write("file", "");
  EXPECT_NE(support::error_text([&] { return make_result_folder(box.path("file"), local_time()); }),
            "");
  EXPECT_NE(support::error_text([&] { return make_result_folder(box.path("none"), local_time()); }),
            "");
  EXPECT_FALSE(fs::exists(box.path("none")));
}

TEST(the_commit, is_that_of_the_checkout) {
  const support::temporary_folder box;
  fs::create_directory(box.path("vllm"));
  const std::string commit(40, 'a');
  std::vector<std::string> asked;
  EXPECT_EQ(commit_below(box.path(),
                         [&](const std::vector<std::string>& words) {
                           asked = words;
                           return std::optional<std::string>(commit + "\n");
                         }),
            commit);
  EXPECT_THAT(asked, testing::ElementsAre("git", "-C", box.path("vllm"), "rev-parse", "HEAD"));
}

TEST(the_commit, is_unknown_without_a_checkout) {
  const support::temporary_folder box;
  const auto answer = [](const std::optional<std::string>& text) {
    return [text](const std::vector<std::string>&) { return text; };
  };
  EXPECT_EQ(commit_below(box.path(), answer(std::string(40, 'a'))), "unknown");
  fs::create_directory(box.path("vllm"));
  EXPECT_EQ(commit_below(box.path(), answer(std::nullopt)), "unknown");
  EXPECT_EQ(commit_below(box.path(), answer("HEAD\n")), "unknown");
  EXPECT_EQ(commit_below(box.path(), answer(std::string(40, 'x'))), "unknown");
}

}  // namespace
}  // namespace inferbench::tune
