#include "simulator/token_text.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inferbench::simulator {
namespace {

using testing::ElementsAre;

std::vector<std::string> tokens_of(std::string_view text) {
  const token_pieces pieces = pieces_of(text);
  std::vector<std::string> out;
  std::size_t begin = 0;
  for (const std::uint32_t end : pieces.ends) {
    out.push_back(pieces.json.substr(begin, end - begin));
    begin = end;
  }
  return out;
}

TEST(token_text, a_text_is_cut_into_words_numbers_and_signs) {
  EXPECT_THAT(tokens_of(R"([{"name":"low tide","level":12345}])"),
              ElementsAre("[{\\\"", "name", "\\\":\\\"", "low", " tide", "\\\",\\\"", "level",
                          "\\\":", "123", "45", "}]"));
  EXPECT_THAT(tokens_of("tide@tide.com\n"), ElementsAre("tide", "@", "tide", ".", "com", "\\n"));
  EXPECT_THAT(tokens_of("  a "), ElementsAre("  ", "a", " "));
}

TEST(token_text, no_character_is_cut) {
  EXPECT_THAT(tokens_of("\u00fcber \u65e5\u672c"), ElementsAre(R"(\u00fcber)", R"( \u65e5\u672c)"));
}

TEST(token_text, an_empty_text_is_one_token) {
  const token_pieces pieces = pieces_of("");
  EXPECT_THAT(pieces.ends, ElementsAre(0U));
  EXPECT_TRUE(pieces.any());
  EXPECT_EQ(token_text(5, &pieces).size(1), 0U);
}

TEST(token_text, a_view_begins_at_any_token_and_ends_with_the_text) {
  const token_pieces pieces = pieces_of("one two three");
  const token_text text(7, &pieces);
  const auto part = [](const token_text& of, std::uint64_t count) {
    std::string out;
    of.append(out, count);
    EXPECT_EQ(out.size(), of.size(count));
    return out;
  };
  EXPECT_EQ(part(text, 2), "one two");
  EXPECT_EQ(part(text.from(1), 1), " two");
  EXPECT_EQ(part(text.from(1).from(1), UINT64_MAX), " three");
  EXPECT_EQ(part(text.from(3), 1), "");
  EXPECT_EQ(part(text.from(UINT64_MAX), 1), "");
}

TEST(token_text, without_a_fixed_text_the_tokens_are_words) {
  const token_pieces none;
  std::string with;
  std::string without;
  token_text(60, &none).from(2).append(with, 3);
  append_words(without, 62, 3);
  EXPECT_EQ(with, without);
  EXPECT_EQ(token_text(62).size(3), size_of_words(62, 3));
}

}  // namespace
}  // namespace inferbench::simulator
