#include "simulator/sample_pattern.hpp"

#include <regex>
#include <string>

#include <gtest/gtest.h>

namespace inferbench::simulator {
namespace {

std::string matching(std::string_view pattern) {
  const auto found = samples_of(pattern);
  return found ? found->matching : "unsupported";
}

TEST(sample_pattern, the_address_of_the_script_has_its_form) {
  const auto found = samples_of(R"(\w+@\w+\.com\n)");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->matching, "tide@tide.com\n");
  EXPECT_EQ(found->other, " low tide");
}

TEST(sample_pattern, a_sample_matches_and_the_other_text_does_not_begin_with_a_match) {
  for (const char* pattern : {"abc",
                              "a|b",
                              "(a|bc)(d|e)+",
                              "[a-c]{2,5}x",
                              R"(\d{4}-\d{2}-\d{2})",
                              R"([^a-z]+)",
                              "a.c",
                              R"(\s\S\D\W)",
                              "(?:ab){3}",
                              "x?y*z+",
                              R"(\{"a": \d+\})",
                              R"(\x41\t\.)",

                              "[a-]+",
                              R"([\w.-]+@[\w-]+)",
                              "^(GET|POST) /$",
                              "a{0}b",
                              "(a{2}){2}",
                              "[0-9A-F]{8}",
                              "((a|b)|(c|d))e",
                              R"(-?\d+)",
                              "()a",
                              "a+?b"}) {
    const auto found = samples_of(pattern);
    ASSERT_TRUE(found) << pattern;
    EXPECT_TRUE(std::regex_match(found->matching, std::regex(pattern))) << pattern;
    if (!found->other) continue;
    EXPECT_FALSE(std::regex_search(*found->other, std::regex(pattern),
                                   std::regex_constants::match_continuous))
        << pattern << " and " << *found->other;
  }
}

TEST(sample_pattern, a_class_is_repeated_four_times_if_its_bounds_allow_it) {
  EXPECT_EQ(matching("[a-z]+"), "tide");
  EXPECT_EQ(matching("[a-z]{2}"), "ti");
  EXPECT_EQ(matching("[a-z]{6,}"), "tideti");
  EXPECT_EQ(matching("[a-z]*"), "");
  EXPECT_EQ(matching("(x|y){2,}"), "xx");
}

TEST(sample_pattern, a_bracket_at_the_beginning_of_a_class_is_a_sign_of_it) {
  EXPECT_EQ(matching("[]]b"), "]b");
  EXPECT_EQ(matching("[^]]b"), "tb");
}

TEST(sample_pattern, literals_beyond_ascii_stay_whole) {
  EXPECT_EQ(matching("\u00fc+x"), "\u00fcx");
  EXPECT_EQ(matching("\u65e5{2}"), "\u65e5\u65e5");
}

TEST(sample_pattern, if_every_text_begins_with_a_match_there_is_no_other_text) {
  for (const char* pattern : {"", "a*", "a|", ".+", "(a?)(b?)", R"([\s\S])"}) {
    const auto found = samples_of(pattern);
    ASSERT_TRUE(found) << pattern;
    EXPECT_FALSE(found->other) << pattern << ": " << *found->other;
  }
}

TEST(sample_pattern, unsupported_and_malformed_expressions_have_no_samples) {
  for (const char* pattern :
       {"(",         ")",        "a)",      "(a",      "[a",     "[",     "a**",         "*a",
        "+",         "a{2,1}",   "a{1001}", "a{x}",    "a{1",    R"(\)",  R"(\bword)",   R"((a)\1)",
        "(?=a)",     "(?!a)",    "(?<=a)",  "(?i)a",   "(?P=n)", "(?P<n", "[[:alpha:]]", "[z-a]",
        R"([a-\d])", "[\u00fc]", R"(\xzz)", R"(\xff)", "a$b",    "b^a",   R"([^\w\W])"})
    EXPECT_FALSE(samples_of(pattern)) << pattern;
}

TEST(sample_pattern, hostile_expressions_end_soon) {
  EXPECT_FALSE(samples_of(std::string(1000, '(') + std::string(1000, ')')));
  EXPECT_FALSE(samples_of(std::string(100'000, 'a')));
  EXPECT_FALSE(samples_of("((((a{1000}){1000}){1000}){1000}){1000}")) << "too long";
  EXPECT_EQ(matching("((((a*){1000}){1000}){1000}){1000}"), "") << "empty repetitions";
  EXPECT_TRUE(samples_of("(a+)+(b+)+$"));
}

}  // namespace
}  // namespace inferbench::simulator
