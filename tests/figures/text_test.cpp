#include "text.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace figures;

constexpr const char* unknown = "\xEF\xBF\xBD";

TEST(figure_text, of_utf_8_is_unchanged) {
  const std::string text = "a=1 \xC3\xA9 \xE6\xA8\xA1\xE5\x9E\x8B \xF0\x9F\x98\x80";
  EXPECT_EQ(clean(text), text);
}

TEST(figure_text, has_no_control_characters) {
  EXPECT_EQ(clean(std::string("a\0b\x1B[1m\x7F\tc", 10)),
            std::string("a") + unknown + "b" + unknown + "[1m" + unknown + " c");
  EXPECT_EQ(clean("\xC2\x85"), unknown);
  EXPECT_EQ(clean("\xEF\xBF\xBE"), unknown);
}

TEST(figure_text, has_replacements_for_bytes_that_are_not_utf_8) {
  EXPECT_EQ(clean("\xFF"), unknown);
  EXPECT_EQ(clean("\xC3"), unknown);
  EXPECT_EQ(clean("a\x80z"), std::string("a") + unknown + "z");
  // Longer than necessary, half of a surrogate pair, beyond the last character.
  for (const char* wrong : {"\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80"})
    EXPECT_THAT(clean(wrong), testing::StartsWith(unknown)) << wrong;
}

TEST(figure_text, is_split_at_line_ends) {
  EXPECT_THAT(lines_of("a\n\nb"), testing::ElementsAre("a", "", "b"));
  EXPECT_THAT(lines_of(""), testing::IsEmpty());
}

TEST(width_of_a_text, depends_on_its_characters) {
  EXPECT_DOUBLE_EQ(width_of(""), 0);
  EXPECT_NEAR(width_of("iW"), 0.278 + 0.989, 1e-12);
  EXPECT_DOUBLE_EQ(width_of("\xE6\xA8\xA1"), 1);  // a Chinese character
  EXPECT_DOUBLE_EQ(width_of("\xCC\x81"), 0);      // an accent on the letter before it
}

TEST(shortened_text, ends_with_an_ellipsis_within_the_width) {
  EXPECT_EQ(shortened("short", 10), "short");
  const std::string cut = shortened(std::string(100'000, 'x'), 10);
  EXPECT_THAT(cut, testing::EndsWith("\xE2\x80\xA6"));
  EXPECT_LE(width_of(cut), 10.3);
  EXPECT_GT(width_of(cut), 9);
}

TEST(shortened_text, is_not_cut_within_a_character) {
  std::string text;
  for (int i = 0; i < 50; ++i)
    text += "\xE6\xA8\xA1";
  const std::string cut = shortened(text, 7.5);
  EXPECT_EQ(clean(cut), cut);
  EXPECT_EQ(cut.size(), 3U * 6 + 3);
}

TEST(shortened_text, without_room_is_an_ellipsis) {
  EXPECT_EQ(shortened("abc", 0), "\xE2\x80\xA6");
}

}  // namespace
