#include "base/http_token.hpp"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace inferbench::base {
namespace {

// The predicates can be called at compile time.
static_assert(is_token("POST") && !is_token("") && !is_token_character(' '));

TEST(http_token, a_character_belongs_to_a_token_exactly_if_the_rfc_lists_it) {
  // tchar, DIGIT and ALPHA in the order of RFC 9110, section 5.6.2, and RFC 5234, appendix B.1.
  constexpr std::string_view listed =
      "!#$%&'*+-.^_`|~"
      "0123456789"
      "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
      "abcdefghijklmnopqrstuvwxyz";
  ASSERT_EQ(listed.size(), 77U);
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    const bool expected = listed.find(c) != std::string_view::npos;
    EXPECT_EQ(is_token_character(c), expected) << "byte " << byte;
    EXPECT_EQ(is_token(std::string(1, c)), expected) << "byte " << byte;
  }
}

TEST(http_token, the_characters_of_tokens_are_the_visible_ascii_characters_without_delimiters) {
  // The comment of the RFC on its list: "any VCHAR, except delimiters".
  constexpr std::string_view delimiters = "\"(),/:;<=>?@[\\]{}";
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    const bool visible = byte > 0x20 && byte < 0x7F;
    EXPECT_EQ(is_token_character(c), visible && delimiters.find(c) == std::string_view::npos)
        << "byte " << byte;
  }
}

TEST(http_token, a_token_has_at_least_one_character) {
  EXPECT_FALSE(is_token(""));
  EXPECT_TRUE(is_token("a"));
}

TEST(http_token, a_text_with_another_character_at_any_place_is_no_token) {
  EXPECT_TRUE(is_token("X-Request_Id.1~"));
  for (const std::string_view text : {" ab", "a b", "ab ", "ab:", "\xC3\xA4"})
    EXPECT_FALSE(is_token(text)) << text;
  EXPECT_FALSE(is_token(std::string_view("a\0b", 3)));
}

}  // namespace
}  // namespace inferbench::base
