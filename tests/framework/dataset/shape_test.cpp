#include "dataset/shape.hpp"

#include <array>

#include <gtest/gtest.h>

namespace {

using inferbench::dataset::wrong_with;

ifb_part part(std::uint32_t kind) {
  ifb_part out{};
  out.struct_size = sizeof out;
  out.kind = kind;
  return out;
}

template <std::size_t n>
ifb_sample sample_of(std::uint32_t shape, const std::array<ifb_part, n>& parts) {
  ifb_sample out{};
  out.struct_size = sizeof out;
  out.shape = shape;
  out.prompt = {parts.data(), static_cast<std::uint32_t>(n), sizeof(ifb_part)};
  return out;
}

TEST(shape, parts_must_be_of_the_kind_that_the_shape_says) {
  const std::array one_text = {part(IFB_PART_TEXT)};
  const std::array texts = {part(IFB_PART_TEXT), part(IFB_PART_TEXT)};
  const std::array one_tokens = {part(IFB_PART_TOKENS)};
  const std::array mixed = {part(IFB_PART_TEXT), part(IFB_PART_IMAGE)};
  const std::array json = {part(IFB_PART_JSON)};
  const std::array unknown = {part(99)};
  EXPECT_EQ(wrong_with(sample_of(IFB_PROMPT_TEXT, one_text)), nullptr);
  EXPECT_EQ(wrong_with(sample_of(IFB_PROMPT_TEXTS, texts)), nullptr);
  EXPECT_EQ(wrong_with(sample_of(IFB_PROMPT_TOKENS, one_tokens)), nullptr);
  EXPECT_EQ(wrong_with(sample_of(IFB_PROMPT_TOKEN_LISTS, one_tokens)), nullptr);
  EXPECT_EQ(wrong_with(sample_of(IFB_PROMPT_PARTS, mixed)), nullptr);
  EXPECT_EQ(wrong_with(sample_of(IFB_PROMPT_JSON, json)), nullptr);

  EXPECT_NE(wrong_with(sample_of(IFB_PROMPT_TEXT, texts)), nullptr);
  EXPECT_NE(wrong_with(sample_of(IFB_PROMPT_TEXT, one_tokens)), nullptr);
  EXPECT_NE(wrong_with(sample_of(IFB_PROMPT_TEXTS, mixed)), nullptr);
  EXPECT_NE(wrong_with(sample_of(IFB_PROMPT_TOKENS, one_text)), nullptr);
  EXPECT_NE(wrong_with(sample_of(IFB_PROMPT_JSON, one_text)), nullptr);
  EXPECT_NE(wrong_with(sample_of(IFB_PROMPT_PARTS, unknown)), nullptr);
  EXPECT_NE(wrong_with(sample_of(0, one_text)), nullptr);
  EXPECT_NE(wrong_with(sample_of(77, one_text)), nullptr);
}

TEST(shape, lists_that_point_nowhere_are_found) {
  ifb_sample text = sample_of(IFB_PROMPT_TEXT, std::array{part(IFB_PART_TEXT)});
  text.prompt.first = nullptr;
  EXPECT_NE(wrong_with(text), nullptr);
  const std::array texts = {part(IFB_PART_TEXT), part(IFB_PART_TEXT)};
  ifb_sample strideless = sample_of(IFB_PROMPT_TEXTS, texts);
  strideless.prompt.stride = 0;
  EXPECT_NE(wrong_with(strideless), nullptr);
  const std::array one = {part(IFB_PART_TEXT)};
  ifb_sample media = sample_of(IFB_PROMPT_TEXT, one);
  media.media = {nullptr, 1, sizeof(ifb_part)};
  EXPECT_NE(wrong_with(media), nullptr);
}

TEST(shape, a_chat_needs_messages_with_parts_of_known_kinds) {
  const std::array good = {part(IFB_PART_TEXT), part(IFB_PART_VIDEO)};
  const std::array bad = {part(0)};
  ifb_message message{};
  message.struct_size = sizeof message;
  message.parts = {good.data(), 2, sizeof(ifb_part)};
  ifb_sample chat{};
  chat.shape = IFB_PROMPT_CHAT;
  EXPECT_NE(wrong_with(chat), nullptr);
  chat.messages = {&message, 1, sizeof message};
  EXPECT_EQ(wrong_with(chat), nullptr);
  message.parts = {bad.data(), 1, sizeof(ifb_part)};
  EXPECT_NE(wrong_with(chat), nullptr);
}

}  // namespace
