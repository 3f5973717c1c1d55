#include "experiment/durable_file.hpp"

#include <filesystem>
#include <string>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::experiment {
namespace {

using testing::AllOf;
using testing::HasSubstr;

namespace fs = std::filesystem;

std::string refusal_to_write(const fs::path& file) {
  try {
    write_durably(file, "text");
  } catch (const base::error& e) {
    return e.what();
  }
  return {};
}

TEST(durable_file, replaces_a_file_and_leaves_no_other) {
  const support::temporary_folder box;
  const std::string file = box.write("a.json", "old, and longer than the new text");
  write_durably(file, "new");
  EXPECT_EQ(base::read_file(file), "new");
  EXPECT_EQ(std::distance(fs::directory_iterator(box.root), fs::directory_iterator()), 1);
}

TEST(durable_file, is_not_disturbed_by_what_a_killed_process_left) {
  const support::temporary_folder box;
  box.write(".a.json.new", "half of a long text that is cut");
  write_durably(box.path("a.json"), "new");
  EXPECT_EQ(base::read_file(box.path("a.json")), "new");
  EXPECT_FALSE(fs::exists(box.path(".a.json.new")));
}

TEST(durable_file, cannot_be_written_without_its_folder) {
  const support::temporary_folder box;
  EXPECT_THAT(refusal_to_write(box.root / "no" / "a.json"),
              AllOf(HasSubstr("cannot write " + box.path("no/a.json")),
                    HasSubstr("No such file or directory"), HasSubstr("check the folder")));
}

TEST(durable_file, says_how_to_shorten_a_name) {
  const support::temporary_folder box;
  EXPECT_THAT(refusal_to_write(box.root / std::string(300, 'a')),
              AllOf(HasSubstr("File name too long"), HasSubstr("_benchmark_name")));
}

TEST(durable_file, keeps_the_old_file_if_it_cannot_be_replaced) {
  const support::temporary_folder box;
  fs::create_directories(box.root / "a.json" / "full");
  EXPECT_THAT(refusal_to_write(box.root / "a.json"), HasSubstr("cannot write"));
  EXPECT_TRUE(fs::is_directory(box.root / "a.json" / "full"));
}

TEST(create_folder, creates_parents_and_accepts_a_folder_that_is_there) {
  const support::temporary_folder box;
  create_folder(box.root / "a" / "b");
  create_folder(box.root / "a" / "b");
  create_folder({});
  EXPECT_TRUE(fs::is_directory(box.root / "a" / "b"));
}

TEST(create_folder, refuses_a_file_in_the_path) {
  const support::temporary_folder box;
  box.write("a", "");
  EXPECT_THROW(create_folder(box.root / "a" / "b"), base::error);
  EXPECT_THROW(create_folder(box.root / "a"), base::error);
}

TEST(durable_file, has_no_folder_below_a_file) {
  const support::temporary_folder box;
  try {
    create_folder(fs::path(box.write("file", "text")) / "x" / "y");
    FAIL();
  } catch (const base::error& e) {
    EXPECT_EQ(e.message(), box.path("file") + " is not a folder");
  }
}

TEST(durable_file, writes_into_a_pipe_and_does_not_replace_it) {
  const support::temporary_folder folder;
  const std::string pipe = folder.path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  // Both ends: neither open nor write waits.
  const int ends = ::open(pipe.c_str(), O_RDWR);
  ASSERT_GE(ends, 0);
  write_durably(pipe, "text");
  char read[8] = {};
  EXPECT_EQ(::read(ends, read, sizeof read), 4);
  EXPECT_STREQ(read, "text");
  ::close(ends);
  EXPECT_TRUE(fs::is_fifo(pipe));
}

}  // namespace
}  // namespace inferbench::experiment
