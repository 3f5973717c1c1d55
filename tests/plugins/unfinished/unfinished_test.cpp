#include "common/unfinished/unfinished.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include "support/temporary_folder.hpp"

namespace {

namespace fs = std::filesystem;
using ::testing::UnorderedElementsAre;

class unfinished_files : public ::testing::Test {
 protected:
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& each : fs::directory_iterator(folder.root))
      out.push_back(each.path().filename());
    return out;
  }
  void remove_left() const {
    unfinished::remove_left(folder.root,
                            [](std::string_view name) { return name.ends_with(".part"); });
  }

  inferbench::support::temporary_folder folder;
};

TEST_F(unfinished_files, are_removed_unless_they_are_still_being_written) {
  const int written = unfinished::create(folder.root / "written.part");
  ASSERT_GE(written, 0);
  folder.write("left.part", "written by a process that has ended");
  folder.write("other.txt", "a file of another program");
  remove_left();
  EXPECT_THAT(names(), UnorderedElementsAre("written.part", "other.txt"));
  ::close(written);
  remove_left();
  EXPECT_THAT(names(), UnorderedElementsAre("other.txt"));
}

TEST_F(unfinished_files, do_not_replace_existing_files) {
  folder.write("a.part", "something");
  EXPECT_EQ(unfinished::create(folder.root / "a.part"), -1);
  EXPECT_EQ(errno, EEXIST);
  fs::create_symlink("/dev/null", folder.root / "link.part");
  EXPECT_EQ(unfinished::create(folder.root / "link.part"), -1);
  EXPECT_EQ(unfinished::create(folder.root / "no/such/folder"), -1);
  EXPECT_EQ(errno, ENOENT);
}

TEST_F(unfinished_files, are_plain_files_so_links_and_folders_are_not_removed) {
  const std::string target = folder.write("target", "precious");
  fs::create_symlink(target, folder.root / "link.part");
  fs::create_directory(folder.root / "folder.part");
  remove_left();
  EXPECT_THAT(names(), UnorderedElementsAre("target", "link.part", "folder.part"));
  std::ifstream in(target);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "precious");
}

TEST_F(unfinished_files, may_be_looked_for_in_a_missing_folder) {
  unfinished::remove_left(folder.root / "nowhere", [](std::string_view) { return true; });
  EXPECT_TRUE(names().empty());
}

TEST_F(unfinished_files, keep_their_lock_when_they_are_renamed) {
  const int written = unfinished::create(folder.root / "a.part");
  fs::rename(folder.root / "a.part", folder.root / "b.part");
  remove_left();
  EXPECT_THAT(names(), UnorderedElementsAre("b.part"));
  ::close(written);
}

}  // namespace
