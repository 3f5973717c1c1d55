#include "common/hub/folder_listing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/hub/fake_hub.hpp"

namespace hub {
namespace {

using hub_test::write;
using testing::AnyOf;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(folder_listings, have_all_files_with_their_sizes_in_order) {
  hub_test::folder at;
  write(at.path / "b.txt", "12");
  write(at.path / "a/c/d.txt", "1");
  write(at.path / "a.txt", "");
  EXPECT_THAT(
      files_below(at.path),
      ElementsAre(listed_file{"a.txt", 0}, listed_file{"a/c/d.txt", 1}, listed_file{"b.txt", 2}));
}

TEST(folder_listings, follow_links_but_not_in_circles) {
  hub_test::folder at;
  hub_test::folder other;
  write(other.path / "x.txt", "123");
  write(at.path / "a.txt", "1");
  std::filesystem::create_directory_symlink(at.path, at.path / "circle");
  std::filesystem::create_symlink(other.path / "x.txt", at.path / "y.txt");
  std::filesystem::create_symlink("nowhere", at.path / "z.txt");
  EXPECT_THAT(files_below(at.path), ElementsAre(listed_file{"a.txt", 1}, listed_file{"y.txt", 3}));
}

TEST(folder_listings, follow_links_to_folders_inside_only) {
  hub_test::folder at;
  write(at.path / "other/x.txt", "123");
  write(at.path / "set-2/x.txt", "123");
  write(at.path / "set/real/x.txt", "12");
  std::filesystem::create_directory_symlink("../other", at.path / "set/out");
  std::filesystem::create_directory_symlink(at.path / "set-2", at.path / "set/beside");
  std::filesystem::create_directory_symlink("/", at.path / "set/root");
  std::filesystem::create_directory_symlink("real", at.path / "set/inside");
  std::filesystem::create_directory_symlink("set", at.path / "link");
  for (const char* name : {"set", "link"}) {
    const auto files = files_below(at.path / name);
    ASSERT_EQ(files.size(), 1U) << name;
    EXPECT_THAT(files[0].path, AnyOf("real/x.txt", "inside/x.txt")) << name;
  }
}

TEST(folder_listings, know_what_is_below_a_folder) {
  EXPECT_TRUE(is_below("/a/b", "/a"));
  EXPECT_TRUE(is_below("/a", "/a"));
  EXPECT_TRUE(is_below("/a", "/"));
  EXPECT_FALSE(is_below("/ab", "/a"));
  EXPECT_FALSE(is_below("/", "/a"));
}

TEST(folder_listings, of_no_folder_are_empty) {
  hub_test::folder at;
  EXPECT_THAT(files_below(at.path), IsEmpty());
  EXPECT_THAT(files_below(at.path / "none"), IsEmpty());
}

}  // namespace
}  // namespace hub
