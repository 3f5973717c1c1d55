#include "datasets/synthetic/text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/guard.hpp>

#include "support/temporary_folder.hpp"

namespace synthetic {
namespace {

TEST(text, has_the_ends_of_lines_that_python_sees) {
  const inferbench::support::temporary_folder folder;
  EXPECT_EQ(read_text(folder.write("a", "one\r\ntwo\rthree\nfo\u00fcr\r")),
            "one\ntwo\nthree\nfo\u00fcr\n");
}

TEST(text, that_is_empty_unreadable_or_not_utf8_is_refused) {
  const inferbench::support::temporary_folder folder;
  const std::pair<std::string, std::string> cases[] = {
      {folder.write("empty", ""), "the file is empty"},
      {folder.write("latin", "one\nf\xFCr"), "latin:2:2: not UTF-8"},
      {folder.path("nowhere"), "cannot read"},
  };
  for (const auto& [path, said] : cases) {
    try {
      (void)read_text(path);
      ADD_FAILURE() << path;
    } catch (const ifb::failure& e) {
      EXPECT_THAT(e.message(), ::testing::HasSubstr(said));
      EXPECT_EQ(e.option(), "path");
    }
  }
}

}  // namespace
}  // namespace synthetic
