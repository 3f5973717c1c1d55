#include "scorers/common/pattern.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/scorers/scored_record.hpp"
#include "scorers/common/text_cache.hpp"

namespace scorers {
namespace {

TEST(a_pattern, matches_at_the_start_and_may_end_before_the_text) {
  const pattern digits("[0-9]+");
  ASSERT_TRUE(digits.usable());
  EXPECT_TRUE(digits.starts("12 apples"));
  EXPECT_FALSE(digits.starts(" 12"));
  EXPECT_TRUE(digits.occurs_in("so 12"));
  EXPECT_FALSE(digits.occurs_in("so"));
  EXPECT_TRUE(pattern("a|b").starts("b"));
  EXPECT_FALSE(pattern("a|b").starts("xb"));
  EXPECT_TRUE(pattern("").starts(""));
}

TEST(a_pattern, takes_linear_time_however_it_is_written) {
  const std::string text = repeated("a", 200'000) + "!";
  EXPECT_FALSE(pattern("(a+)+$").starts(text));
  EXPECT_FALSE(pattern("(a|aa)+b").starts(text));
  EXPECT_FALSE(pattern("(.*a){12}c").occurs_in(text));
  EXPECT_TRUE(pattern("(a|b)*!").starts(text));
}

TEST(a_pattern, that_is_wrong_or_too_large_is_unusable) {
  for (const std::string& text :
       {std::string("("), std::string("a**b"), std::string("[z-a]"), std::string("(?=a)"),
        std::string("\\1"), std::string("a{2000}"), std::string("((a{100}){100}){100}"),
        std::string("\xFF"), repeated("(", 30'000), repeated("\\pL", 1'000),
        repeated("a", longest_pattern + 1)}) {
    const pattern bad(text);
    EXPECT_FALSE(bad.usable()) << text.substr(0, 40);
    EXPECT_FALSE(bad.problem().empty());
  }
}

TEST(a_pattern, finds_its_first_group) {
  const std::string text = "x=1, y=22";
  const auto first = pattern("([a-z])=([0-9]+)").find(text, 0);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->begin, 0U);
  EXPECT_EQ(first->end, 3U);
  EXPECT_EQ(first->group, "x");
  const auto whole = pattern("[0-9]+").find(text, 4);
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->group, "22");
  const auto unused = pattern("(q)?y").find(text, 0);
  ASSERT_TRUE(unused);
  EXPECT_EQ(unused->group, "");
  EXPECT_FALSE(pattern("z").find(text, 0));
  EXPECT_FALSE(pattern("").find(text, text.size() + 1));
  EXPECT_TRUE(pattern("").find("", 0));
}

TEST(a_pattern_of_ECMAScript, is_written_as_RE2_needs_it) {
  EXPECT_EQ(from_ecmascript("\\u00e9"), "\\x{E9}");
  EXPECT_EQ(from_ecmascript("[\\uD83D\\uDC32]"), "[\\x{1F432}]");
  EXPECT_EQ(from_ecmascript("\\cJ"), "\\x{A}");
  EXPECT_EQ(from_ecmascript("(?<year>[0-9]+)"), "(?P<year>[0-9]+)");
  EXPECT_EQ(from_ecmascript("(?<=a)(?<!b)(?=c)\\\\u0041\\d"), "(?<=a)(?<!b)(?=c)\\\\u0041\\d");
  EXPECT_EQ(from_ecmascript("\\u12"), "\\u12");
  EXPECT_EQ(from_ecmascript("\\"), "\\");
  EXPECT_EQ(from_ecmascript("(?<"), "(?<");
  EXPECT_TRUE(pattern(from_ecmascript("^\\u{1}|\\uD83D")).problem().size() > 0);
}

TEST(a_cache_of_texts, keeps_what_was_made_within_its_bounds) {
  text_cache<std::string> cache;
  int made = 0;
  const auto make = [&](std::string_view text) {
    ++made;
    return std::string(text) + "!";
  };
  EXPECT_EQ(cache.get("a", make), "a!");
  EXPECT_EQ(cache.get("a", make), "a!");
  EXPECT_EQ(made, 1);
  for (std::size_t i = 0; i < 3 * text_cache<std::string>::most_entries; ++i) {
    EXPECT_EQ(cache.get(std::to_string(i), make), std::to_string(i) + "!");
    EXPECT_LE(cache.size(), text_cache<std::string>::most_entries);
  }
  const std::string large(text_cache<std::string>::most_bytes, 'x');
  EXPECT_EQ(cache.get(large, make).size(), large.size() + 1);
  EXPECT_EQ(cache.size(), 1U);
  EXPECT_EQ(cache.get("b", make), "b!");
  EXPECT_EQ(cache.size(), 1U);
}

}  // namespace
}  // namespace scorers
