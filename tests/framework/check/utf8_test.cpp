#include "check/utf8.hpp"

#include <gtest/gtest.h>

namespace inferbench::check {
namespace {

TEST(utf8, has_no_bad_byte) {
  for (const char* const text : {"", "hi", "caf\u00e9 \u4e2d \U0001F600"}) {
    EXPECT_EQ(first_bad_byte(text), std::nullopt) << text;
    EXPECT_TRUE(is_utf8(text)) << text;
  }
}

TEST(utf8, is_not_text_with_a_byte_of_another_encoding_or_half_a_character) {
  EXPECT_EQ(first_bad_byte("caf\xE9"), 3U);
  EXPECT_EQ(first_bad_byte("\u4e2d\xE4\xB8"), 3U);
  EXPECT_EQ(first_bad_byte("a\xED\xA0\x80"), 1U) << "half a surrogate pair";
  EXPECT_FALSE(is_utf8("\xFF"));
}

}  // namespace
}  // namespace inferbench::check
