#include "common/toml/table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/toml/refusal.hpp"

namespace toml_file {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

table root_of(const document& file) { return {file, file.root(), ""}; }

TEST(toml_table, values_are_read_by_key_and_type) {
  const document file("a.toml",
                      "t = \"x\"\nb = false\ni = 7\nl = [\"p\", \"q\"]\nc = \"red\"\n"
                      "[[part]]\nn = 1\n[[part]]\nn = 2\n",
                      "file");
  table root = root_of(file);
  EXPECT_EQ(root.text("t"), "x");
  EXPECT_EQ(root.text("none"), std::nullopt);
  EXPECT_EQ(root.boolean("b"), false);
  EXPECT_EQ(root.boolean("none"), std::nullopt);
  EXPECT_EQ(root.integer("i", 7, 7), 7);
  EXPECT_THAT(root.texts("l"), ElementsAre("p", "q"));
  EXPECT_THAT(root.texts("none"), IsEmpty());
  EXPECT_EQ(root.choice("c", {"red", "green"}), "red");
  auto parts = root.tables("part");
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[1].integer("n", 0, 9), 2);
  EXPECT_EQ(parts[1].title(), "[[part]]");
  EXPECT_EQ(parts[1].line(), 8U);
  root.refuse_others();
}

TEST(toml_table, wrong_types_and_values_are_refused_with_their_line) {
  const auto refusal = [](const std::string& text, auto&& read) {
    return refusal_of(text, [&](const document& file) {
      table root = root_of(file);
      read(root);
    });
  };
  EXPECT_EQ(refusal("\na = 1", [](table& t) { static_cast<void>(t.text("a")); }),
            "a.toml:2: a is a whole number; expected a text");
  EXPECT_EQ(refusal("a = 1.5", [](table& t) { static_cast<void>(t.integer("a", 0, 1)); }),
            "a.toml:1: a is a number; expected a whole number");
  EXPECT_EQ(refusal("a = 12", [](table& t) { static_cast<void>(t.integer("a", 0, 11)); }),
            "a.toml:1: a is 12; expected 0 to 11");
  EXPECT_EQ(refusal("a = [1]", [](table& t) { static_cast<void>(t.texts("a")); }),
            "a.toml:1: an element of a is a whole number; expected a list of texts");
  EXPECT_EQ(refusal("a = \"x\"", [](table& t) { static_cast<void>(t.choice("a", {"y", "z"})); }),
            "a.toml:1: a is \"x\"; expected one of y, z");
  EXPECT_EQ(refusal("a = [1]", [](table& t) { static_cast<void>(t.tables("a")); }),
            "a.toml:1: [[a]] is a whole number; expected a table");
}

TEST(toml_table, an_unknown_key_is_refused_with_the_nearest_known_key) {
  const auto refusal = [](const std::string& text, const char* title) {
    return refusal_of(text, [&](const document& file) {
      table root(file, file.root(), title);
      static_cast<void>(root.find("prompt"));
      static_cast<void>(root.find("split"));
      root.refuse_others();
    });
  };
  EXPECT_EQ(refusal("promt = 1", ""), "a.toml:1: there is no key promt; did you mean prompt?");
  EXPECT_EQ(refusal("split = 1\nx = 1", "[t]"),
            "a.toml:2: [t] has no key x; its keys are prompt, split");
  EXPECT_EQ(refusal("[splot]", ""), "a.toml:1: there is no table splot; did you mean split?");
  EXPECT_EQ(refusal("zzzzzz = 1", ""),
            "a.toml:1: there is no key zzzzzz; the keys are prompt, split");
  EXPECT_EQ(refusal("split = 1", "[t]"), "");
}

}  // namespace
}  // namespace toml_file
