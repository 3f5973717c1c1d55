#include "datasets/media/media_folder.hpp"

#include <filesystem>
#include <string>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "datasets/media/unusable.hpp"
#include "support/temporary_folder.hpp"

namespace {

namespace fs = std::filesystem;
using inferbench::support::temporary_folder;
using row_media::media_folder;
using ::testing::HasSubstr;

std::string trouble(const media_folder& in, const std::string& path) {
  try {
    static_cast<void>(in.read(in.resolved(path)));
  } catch (const row_media::unusable& e) {
    return e.what();
  }
  return "";
}

std::string content(const media_folder& in, const std::string& path) {
  return in.read(in.resolved(path));
}

// Another current folder, until the end of the test.
class current_folder {
 public:
  explicit current_folder(const std::string& path) : before_(fs::current_path()) {
    fs::current_path(path);
  }
  ~current_folder() { fs::current_path(before_); }

 private:
  fs::path before_;
};

TEST(media_folder, of_the_user_has_files_at_any_path) {
  const temporary_folder folder;
  folder.write("rows/media/a b.png", "bytes");
  folder.write("other.png", "other");
  const auto in = media_folder::of_user(folder.path("rows"));
  EXPECT_EQ(in.resolved("media/a b.png"), folder.path("rows/media/a b.png"));
  EXPECT_EQ(content(in, "media/a b.png"), "bytes");
  EXPECT_EQ(content(in, "../other.png"), "other");
  EXPECT_EQ(content(in, folder.path("other.png")), "other");
  EXPECT_EQ(in.resolved("media/../x/./missing.png"), folder.path("rows/x/missing.png"));
}

TEST(media_folder, of_the_user_falls_back_to_the_current_folder) {
  const temporary_folder folder;
  folder.write("rows/both.png", "beside the rows");
  folder.write("here/both.png", "in the current folder");
  folder.write("here/only.png", "only here");
  const current_folder here(folder.path("here"));
  const auto in = media_folder::of_user(folder.path("rows"));
  EXPECT_EQ(content(in, "both.png"), "beside the rows");
  EXPECT_EQ(content(in, "only.png"), "only here");
  EXPECT_EQ(in.resolved("only.png"), folder.path("here/only.png"));
  EXPECT_EQ(in.resolved("none.png"), folder.path("rows/none.png"));
}

TEST(media_folder, refuses_what_is_not_a_regular_file) {
  const temporary_folder folder;
  const auto in = media_folder::of_user(folder.path());
  EXPECT_EQ(trouble(in, "none.png"),
            "cannot read " + folder.path("none.png") + ": No such file or directory");
  fs::create_directory(folder.path("folder.png"));
  EXPECT_THAT(trouble(in, "folder.png"), HasSubstr("folder.png: Is a directory"));
  ASSERT_EQ(::mkfifo(folder.path("pipe.png").c_str(), 0600), 0);
  EXPECT_THAT(trouble(in, "pipe.png"), HasSubstr("pipe.png: not a regular file"));
  EXPECT_THAT(trouble(in, "/dev/null"), HasSubstr("/dev/null: not a regular file"));
  EXPECT_THAT(trouble(in, "/dev/zero"), HasSubstr("/dev/zero: not a regular file"));
  fs::create_symlink("b.png", folder.path("a.png"));
  fs::create_symlink("a.png", folder.path("b.png"));
  EXPECT_THAT(trouble(in, "a.png"), HasSubstr("a.png: Too many levels of symbolic links"));
  folder.write("empty.png", "");
  EXPECT_THAT(trouble(in, "empty.png"), HasSubstr("empty.png: the file is empty"));
  EXPECT_EQ(trouble(in, ""), "the path of the file is empty");
  EXPECT_THAT(trouble(in, std::string("a\0b.png", 7)), HasSubstr("contains a zero byte"));
  EXPECT_THAT(trouble(in, std::string(5000, 'x')), HasSubstr("...: File name too long"));
}

TEST(media_folder, refuses_a_file_of_2_GB_unread) {
  const temporary_folder folder;
  const std::string path = folder.write("huge.png", "x");
  ASSERT_EQ(::truncate(path.c_str(), off_t{2} << 30U), 0);
  const auto in = media_folder::of_user(folder.path());
  EXPECT_EQ(trouble(in, "huge.png"), "cannot read " + path +
                                         ": the file has 2147483648 bytes, more than the "
                                         "536870912 that are read at most");
}

TEST(media_folder, of_strangers_lets_no_path_out) {
  const temporary_folder folder;
  folder.write("secret.png", "secret");
  folder.write("data/inside.png", "inside");
  folder.write("data/sub/deep.png", "deep");
  folder.write("data-other/near.png", "near");
  const auto in = media_folder::of_strangers(folder.path("data"));
  EXPECT_EQ(content(in, "inside.png"), "inside");
  EXPECT_EQ(content(in, "sub/deep.png"), "deep");
  for (const std::string& path :
       {std::string("../secret.png"), std::string("sub/../../secret.png"), std::string("sub/.."),
        folder.path("data/inside.png"), std::string("/etc/hostname"), std::string("./inside.png"),
        std::string("sub//deep.png"), std::string("a\\b"), std::string("."), std::string("..")})
    EXPECT_THAT(trouble(in, path), HasSubstr("leads out of the data set's folder")) << path;
  const current_folder here(folder.path());
  EXPECT_THAT(trouble(in, "secret.png"), HasSubstr("No such file"));
}

TEST(media_folder, of_strangers_lets_no_link_out) {
  const temporary_folder folder;
  folder.write("secret.png", "secret");
  folder.write("data/inside.png", "inside");
  folder.write("data-other/near.png", "near");
  fs::create_symlink("inside.png", folder.path("data/good.png"));
  fs::create_symlink("../secret.png", folder.path("data/bad.png"));
  fs::create_symlink("../data-other/near.png", folder.path("data/near.png"));
  fs::create_symlink(folder.path(), folder.path("data/up"));
  fs::create_symlink(folder.path("data"), folder.path("link"));
  for (const char* const name : {"data", "link"}) {
    const auto in = media_folder::of_strangers(folder.path(name));
    EXPECT_EQ(content(in, "good.png"), "inside");
    for (const char* const path : {"bad.png", "near.png", "up/secret.png"})
      EXPECT_THAT(trouble(in, path), HasSubstr("the link leads out of the data set's folder"));
  }
}

TEST(media_folder, of_strangers_follows_the_links_of_the_hub_s_cache_to_its_blobs) {
  const temporary_folder folder;
  folder.write("datasets--a--b/blobs/0123", "blob");
  folder.write("datasets--a--c/blobs/4567", "blob of another repository");
  folder.write("datasets--a--b/refs/main", "commit");
  const std::string snapshot = folder.path("datasets--a--b/snapshots/commit");
  fs::create_directories(snapshot + "/audio");
  fs::create_symlink("../../../blobs/0123", snapshot + "/audio/a.mp3");
  fs::create_symlink("../../../../datasets--a--c/blobs/4567", snapshot + "/audio/c.mp3");
  fs::create_symlink("../../../refs/main", snapshot + "/audio/r.mp3");
  const auto in = media_folder::of_strangers(snapshot);
  EXPECT_EQ(content(in, "audio/a.mp3"), "blob");
  EXPECT_THAT(trouble(in, "audio/c.mp3"), HasSubstr("leads out of the data set's folder"));
  EXPECT_THAT(trouble(in, "audio/r.mp3"), HasSubstr("leads out of the data set's folder"));
}

}  // namespace
