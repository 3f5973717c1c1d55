// Tests the tokenizer with one token per byte. plugins/tokenizers/bytes/bytes.hpp explains its
// design.
#include <random>
#include <string>

#include <gtest/gtest.h>

#include <inferbench/json_writer.hpp>

#include "plugins/tokenizers/tokenizer_box.hpp"

namespace tokenizers {
namespace {

class bytes_tokenizer : public testing::Test, public tokenizer_box {
 protected:
  bytes_tokenizer() : tokenizer_box("tokenizers/bytes", "bytes") {
    EXPECT_EQ(plugin.create({}), IFB_OK);
  }
};

bool valid_utf8(std::string_view text) {
  while (!text.empty()) {
    const auto [length, good] = ifb::utf8_sequence(text);
    if (!good) return false;
    text.remove_prefix(length);
  }
  return true;
}

using ids = std::vector<std::uint32_t>;

TEST_F(bytes_tokenizer, encodes_each_byte_as_its_value) {
  EXPECT_EQ(encode(std::string("a\0\xC3\xA9\xFF", 5)), (ids{97, 0, 0xC3, 0xA9, 0xFF}));
  EXPECT_EQ(encode(""), ids{});
  EXPECT_EQ(encode("ab", IFB_ENCODE_SPECIAL), (ids{97, 98}));
}

TEST_F(bytes_tokenizer, counts_bytes) {
  EXPECT_EQ(count("h\xC3\xA9"), 3U);
  EXPECT_EQ(count("", IFB_ENCODE_SPECIAL), 0U);
}

TEST_F(bytes_tokenizer, decodes_its_own_ids) {
  const std::string text = "a\n\u00E9\u4E2D\U0001F600z";
  EXPECT_EQ(decode(encode(text)), text);
  EXPECT_EQ(decode(encode(text), IFB_DECODE_SKIP_SPECIAL), text);
}

TEST_F(bytes_tokenizer, decodes_each_byte_of_invalid_utf8_as_a_question_mark) {
  EXPECT_EQ(decode({97, 0xFF, 98}), "a?b");
  EXPECT_EQ(decode({0xC3}), "?");
  EXPECT_EQ(decode({0xC3, 97}), "?a");
  EXPECT_EQ(decode({0xF0, 0x9F, 0x98}), "???");
  EXPECT_EQ(decode({0xED, 0xA0, 0x80}), "???");
  EXPECT_EQ(decode({0xE4, 0xB8, 300, 4294967295U}), "????");
}

TEST_F(bytes_tokenizer, decodes_any_ids_to_text_that_encodes_to_as_many) {
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) {
    ids drawn(random() % 50);
    for (auto& id : drawn)
      id = static_cast<std::uint32_t>(random() % 300);
    const std::string text = decode(drawn);
    EXPECT_TRUE(valid_utf8(text));
    EXPECT_EQ(encode(text).size(), drawn.size());
    EXPECT_EQ(decode(encode(text)), text);
  }
}

TEST_F(bytes_tokenizer, has_a_base_vocabulary_whose_ids_are_text_in_any_order) {
  const auto v = vocabulary();
  EXPECT_EQ(v.size, 128U);
  EXPECT_EQ(v.total_size, 256U);
  EXPECT_EQ(v.added, 0U);
  EXPECT_EQ(v.special_id_count, 0U);
  ids all;
  for (std::uint32_t id = 0; id < v.size; ++id)
    all.insert(all.begin(), id);
  EXPECT_EQ(encode(decode(all)), all);
}

TEST_F(bytes_tokenizer, writes_no_more_than_there_is_room_for) {
  std::uint32_t few[3] = {7, 7, 7};
  std::size_t needed = 0;
  EXPECT_EQ(calls.encode(plugin.get(), ifb::str("abcd"), 0, few, 2, &needed, nullptr), IFB_OK);
  EXPECT_EQ(needed, 4U);
  EXPECT_EQ(few[1], 'b');
  EXPECT_EQ(few[2], 7U);
  EXPECT_EQ(calls.encode(plugin.get(), ifb::str("abcd"), 0, nullptr, 0, &needed, nullptr), IFB_OK);
  EXPECT_EQ(needed, 4U);
  const ids given{'a', 0xC3, 0xA9};
  char text[3] = {'#', '#', '#'};
  EXPECT_EQ(calls.decode(plugin.get(), given.data(), 3, 0, text, 2, &needed, nullptr), IFB_OK);
  EXPECT_EQ(needed, 3U);
  EXPECT_EQ(std::string(text, 3), "a\xC3#");
}

}  // namespace
}  // namespace tokenizers
