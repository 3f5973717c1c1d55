#include "common/toml/document.hpp"

#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/toml/refusal.hpp"
#include "support/temporary_folder.hpp"

namespace toml_file {
namespace {

using inferbench::support::temporary_folder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string refusal_of_file(const std::string& path) {
  try {
    static_cast<void>(document::read(path, "a recipe", "file"));
  } catch (const ifb::failure& e) {
    EXPECT_EQ(e.option(), "file");
    return e.message();
  }
  return {};
}

TEST(toml_document, values_have_their_types_their_lines_and_the_order_of_the_file) {
  const document file("a.toml", "z = true\na = [1, 2.5, \"x\"]\n\n[t]\nk = 'v'\n", "file");
  const value& root = file.root();
  EXPECT_THAT(root.names, ElementsAre("z", "a", "t"));
  EXPECT_TRUE(root.items[0].boolean);
  const value& list = root.items[1];
  ASSERT_EQ(list.items.size(), 3U);
  EXPECT_EQ(list.line, 2U);
  EXPECT_EQ(list.items[0].integer, 1);
  EXPECT_EQ(list.items[1].number, 2.5);
  EXPECT_EQ(list.items[2].text, "x");
  EXPECT_EQ(root.items[2].items[0].text, "v");
  EXPECT_EQ(root.items[2].items[0].line, 5U);
}

TEST(toml_document, errors_name_the_file_and_the_line) {
  EXPECT_THAT(refusal_of("a = 1\nb = = 2\n"), HasSubstr("a.toml:2: "));
  EXPECT_EQ(refusal_of("a = 2026-01-01\n"),
            "a.toml:1: dates and times are not used here; write a text in quotes");
  EXPECT_THAT(refusal_of("a = 1\na = 2\n"), HasSubstr("a.toml:2: "));
  EXPECT_THAT(refusal_of("a = \"\xff\"\n"), HasSubstr("a.toml:1: "));
}

TEST(toml_document, values_that_are_nested_too_deeply_are_refused) {
  const std::string deep(40, '[');
  EXPECT_THAT(refusal_of("a = " + deep + std::string(40, ']')), HasSubstr("32 levels deep"));
}

TEST(toml_document, a_message_is_one_line) {
  const document file("a.toml", "a = 1\n", "file");
  EXPECT_EQ(
      refusal_of("a = 1\n", [](const document& read) { read.refuse(7, "two\nlines", "do\tthis"); }),
      "a.toml:7: two lines; do this");
}

TEST(toml_document, files_are_read_up_to_one_mebibyte) {
  const temporary_folder folder;
  const std::string good = folder.write("good.toml", "a = 1\n");
  EXPECT_EQ(document::read(good, "a recipe", "file").text(), "a = 1\n");
  EXPECT_EQ(refusal_of_file(folder.path("none.toml")),
            folder.path("none.toml") + " is not a file; give the path of a recipe");
  EXPECT_EQ(refusal_of_file(folder.path()),
            folder.path() + " is not a file; give the path of a recipe");
  const std::string large = folder.write("large.toml", std::string((1U << 20U) + 1, '\n'));
  EXPECT_EQ(refusal_of_file(large), large + " is larger than 1 MiB; is it a recipe?");
}

}  // namespace
}  // namespace toml_file
