#include "file.hpp"

#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.hpp"
#include "support/temporary_folder.hpp"

namespace {

namespace fs = std::filesystem;

std::ptrdiff_t files_in(const std::string& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

TEST(replaced_file, has_the_new_content_and_the_usual_rights) {
  const inferbench::support::temporary_folder box;
  const std::string file = box.write("figure.svg", "old");
  figures::replace_file(file, "new");
  EXPECT_EQ(inferbench::base::read_file(file), "new");
  EXPECT_EQ(files_in(box.path()), 1);
  box.write("other", "");
  EXPECT_EQ(fs::status(file).permissions(), fs::status(box.path("other")).permissions());
}

TEST(replaced_file, that_cannot_be_written_is_an_error_with_its_name) {
  const inferbench::support::temporary_folder box;
  const std::string file = box.path("missing/figure.svg");
  try {
    figures::replace_file(file, "new");
    FAIL() << "no error";
  } catch (const std::runtime_error& e) {
    EXPECT_THAT(e.what(), testing::StartsWith("cannot write " + file + ": "));
  }
}

TEST(replaced_file, that_cannot_be_replaced_leaves_nothing_behind) {
  const inferbench::support::temporary_folder box;
  // A file cannot get the name of a folder.
  fs::create_directories(box.path("figure.svg/inside"));
  EXPECT_THROW(figures::replace_file(box.path("figure.svg"), "new"), std::runtime_error);
  EXPECT_EQ(files_in(box.path()), 1);
}

}  // namespace
