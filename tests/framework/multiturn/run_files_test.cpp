#include "multiturn/run_files.hpp"

#include <array>
#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "multiturn/script_options.hpp"
#include "options/refusal.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::multiturn {
namespace {

/// The message of the usage error for two files; empty: there is none.
std::string sameness_refusal(const std::string& input, const std::string& output) {
  try {
    require_different_files(
        std::array{named_file{"--input-file", input}, named_file{"--output-file", output}});
  } catch (const options::usage_error& e) {
    return e.what();
  }
  return {};
}

TEST(run_files, a_file_that_is_named_twice_is_refused_with_both_flags) {
  EXPECT_EQ(sameness_refusal("a.json", "a.json"),
            "--output-file: a.json is also the file of --input-file; name another file");
}

TEST(run_files, links_and_other_spellings_of_the_path_are_seen_through) {
  const support::temporary_folder files;
  const std::string file = files.write("a.json", "[]");
  std::filesystem::create_symlink(file, files.path("link.json"));
  std::filesystem::create_hard_link(file, files.path("hard.json"));
  for (const char* other : {"./a.json", "link.json", "hard.json", "no/../a.json"})
    EXPECT_NE(sameness_refusal(file, files.path(other)), "") << other;
  EXPECT_NE(sameness_refusal(files.path("new.json"), files.path("./new.json")), "");
  EXPECT_NE(sameness_refusal("no-such-file", "./no-such-file"), "");
}

TEST(run_files, different_files_devices_and_missing_names_are_allowed) {
  const support::temporary_folder files;
  const std::string file = files.write("a.json", "[]");
  EXPECT_EQ(sameness_refusal(file, files.write("b.json", "[]")), "");
  EXPECT_EQ(sameness_refusal(file, files.path("new.json")), "");
  EXPECT_EQ(sameness_refusal("/dev/null", "/dev/null"), "");
  EXPECT_EQ(sameness_refusal("", ""), "");
}

TEST(run_files, a_missing_folder_is_told_with_the_flag) {
  const support::temporary_folder files;
  EXPECT_NO_THROW(require_folder({"--output-file", "a.json"}));
  EXPECT_NO_THROW(require_folder({"--output-file", files.path("a.json")}));
  try {
    require_folder({"--output-file", files.path("no/a.json")});
    ADD_FAILURE() << "no error";
  } catch (const base::error& e) {
    EXPECT_EQ(std::string(e.what()), "--output-file: there is no folder " + files.path("no") +
                                         "; make it, or name another");
  }
}

TEST(run_files, the_command_compares_all_its_files) {
  const auto is_refused = [](std::vector<std::string> more) {
    std::vector<std::string> args{"-i", "in.json", "-m", "m"};
    args.insert(args.end(), more.begin(), more.end());
    try {
      std::ignore = read_script_options(args, {});
    } catch (const options::usage_error&) {
      return true;
    }
    return false;
  };
  EXPECT_TRUE(is_refused({"-o", "./in.json"}));
  EXPECT_TRUE(is_refused({"--stats-json-output", "in.json"}));
  EXPECT_TRUE(is_refused({"--stats-json-output", "a.json", "-o", "a.json"}));
  EXPECT_FALSE(is_refused({"--stats-json-output", "a.json", "-o", "b.json"}));
}

}  // namespace
}  // namespace inferbench::multiturn
