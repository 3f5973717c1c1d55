#include "check/words.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace inferbench::check {
namespace {

using ids = std::vector<std::uint32_t>;

TEST(words, are_one_token_each_both_ways) {
  const ids some = {0, 7, 42, 999};
  EXPECT_EQ(text_of(some), " w000 w007 w042 w999");
  EXPECT_EQ(tokens_of(text_of(some)), some);
}

TEST(words, everything_else_is_a_token_for_each_byte) {
  const std::string text = "w1 \u4e2d w12\xFF w";
  EXPECT_EQ(tokens_of(text).size(), text.size());
  EXPECT_EQ(text_of(tokens_of(text)), text);
}

TEST(words, ids_beyond_the_vocabulary_are_left_out) {
  EXPECT_EQ(text_of(ids{token_count, UINT32_MAX}), "");
}

TEST(words, a_chat_becomes_lines) {
  EXPECT_EQ(prompt_of(R"({"messages": [{"role": "user", "content": "hi"}]})"),
            "user: hi\nassistant:");
  for (const char* chat : {"", "[]", "{}", R"({"messages": 5})"})
    EXPECT_THROW(static_cast<void>(prompt_of(chat)), base::error) << chat;
}

}  // namespace
}  // namespace inferbench::check
