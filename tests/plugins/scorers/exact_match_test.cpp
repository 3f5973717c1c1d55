#include "scorers/exact-match/exact_match.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/guard.hpp>
#include <inferbench/host.hpp>

#include "plugins/scorers/scored_record.hpp"
#include "support/plugin_box.hpp"

namespace scorers {
namespace {

std::string matched(const std::string& answer, const std::string& expected,
                    const exact_match::options& chosen = {}) {
  const support::host host;
  const exact_match by(ifb::host(host.table()), chosen);
  const scored_record record(answer, {{"expected", expected}});
  return shown(by.score(record.get()));
}

exact_match::options with_white_space() {
  exact_match::options out;
  out.strip = false;
  return out;
}

exact_match::options without_case() {
  exact_match::options out;
  out.ignore_case = true;
  return out;
}

exact_match::options without_punctuation() {
  exact_match::options out;
  out.ignore_punctuation = true;
  return out;
}

TEST(the_scorer_exact_match, compares_the_whole_answer_without_white_space_at_its_ends) {
  EXPECT_EQ(matched("Paris", "Paris"), "right");
  EXPECT_EQ(matched(" Paris\n", "Paris "), "right");
  EXPECT_EQ(matched(" Paris\n", "Paris", with_white_space()), "not the expected value");
  EXPECT_EQ(matched("paris", "Paris"), "not the expected value");
  EXPECT_EQ(matched("Paris.", "Paris"), "not the expected value");
  EXPECT_EQ(matched("", "Paris"), "no answer");
  EXPECT_EQ(matched("", ""), "right");
  const support::host host;
  const scored_record record("Paris", {});
  EXPECT_EQ(shown(exact_match(ifb::host(host.table()), {}).score(record.get())), "none");
}

TEST(the_scorer_exact_match, ignores_case_and_punctuation_where_it_is_told_to) {
  EXPECT_EQ(matched("PARIS", "paris", without_case()), "right");
  EXPECT_EQ(matched("\xC3\x89tat \xCE\xA9", "\xC3\xA9TAT \xCF\x89", without_case()), "right");
  EXPECT_EQ(matched("A\xFF\xC3", "a\xFF\xC3", without_case()), "right");
  EXPECT_EQ(matched("A\xFF", "a\xFE", without_case()), "not the expected value");
  EXPECT_EQ(matched("(\"Paris, France!\")", "Paris France", without_punctuation()), "right");
  EXPECT_EQ(matched("Paris .", "Paris", without_punctuation()), "right");
  EXPECT_EQ(matched("~!@#$%^&*()_+`-={}|[]\\:\";'<>?,./", "", without_punctuation()), "right");
}

TEST(the_scorer_exact_match, compares_a_part_that_a_pattern_finds) {
  exact_match::options chosen;
  chosen.pattern = "#### (-?[0-9]+)";
  EXPECT_EQ(matched("3 + 4 = 7\n#### 7", "7", chosen), "right");
  EXPECT_EQ(matched("#### 7 or #### 8", "7", chosen), "right");
  EXPECT_EQ(matched("#### 7 or #### 8", "8", chosen), "not the expected value");
  EXPECT_EQ(matched("7", "7", chosen), "no match");
  EXPECT_EQ(matched("", "7", chosen), "no answer");
  chosen.match = exact_match::match_choice::last;
  EXPECT_EQ(matched("#### 7 or #### 8", "8", chosen), "right");
  EXPECT_EQ(matched("nothing", "8", chosen), "no match");
  chosen.pattern = "[0-9]+";
  EXPECT_EQ(matched("1 and 22 and 333.", "333", chosen), "right");
  chosen.pattern = "x*";
  EXPECT_EQ(matched("xx\xE4\xB8\xAD", "", chosen), "right");
}

TEST(the_scorer_exact_match, searches_the_end_of_a_long_answer_for_the_last_match) {
  exact_match::options chosen;
  chosen.pattern = "[0-9]+";
  chosen.match = exact_match::match_choice::last;
  EXPECT_EQ(matched(repeated("1 ", 1'000'000) + "7", "7", chosen), "right");
  EXPECT_EQ(matched("7" + std::string(exact_match::searched_for_last, 'x'), "7", chosen),
            "no match");
  chosen.match = exact_match::match_choice::first;
  EXPECT_EQ(matched("7" + std::string(exact_match::searched_for_last, 'x'), "7", chosen), "right");
}

TEST(the_scorer_exact_match, refuses_a_pattern_that_RE2_cannot_use) {
  const support::host host;
  exact_match::options chosen;
  chosen.pattern = "(?=a)";
  try {
    const exact_match by(ifb::host(host.table()), chosen);
    ADD_FAILURE() << "no exception";
  } catch (const ifb::failure& e) {
    EXPECT_EQ(e.code(), IFB_E_CONFIG);
    EXPECT_EQ(e.option(), "pattern");
    EXPECT_THAT(std::string(e.message()), testing::HasSubstr("RE2 cannot use the pattern (?=a)"));
  }
}

}  // namespace
}  // namespace scorers
