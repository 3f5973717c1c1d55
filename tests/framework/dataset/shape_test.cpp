#include "dataset/shape.hpp"

#include <array>

#include <gtest/gtest.h>

#include <inferbench/views.hpp>

namespace {

namespace dataset = inferbench::dataset;
using dataset::drop_unknown_media;
using dataset::is_known;
using dataset::wrong_with;

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

TEST(shape, numbers_of_tokens_are_known_or_minus_one) {
  const std::array one_text = {part(IFB_PART_TEXT)};
  ifb_sample text = sample_of(IFB_PROMPT_TEXT, one_text);
  const auto wrong = [&](std::int64_t input, std::int64_t output) {
    text.input_tokens = input;
    text.output_tokens = output;
    return wrong_with(text) != nullptr;
  };
  EXPECT_FALSE(wrong(-1, -1));
  EXPECT_FALSE(wrong(0, 7));
  EXPECT_TRUE(wrong(-2, 7));
  EXPECT_TRUE(wrong(7, INT64_MIN));
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

TEST(shape, shapes_and_kinds_of_a_later_contract_are_not_known) {
  const std::array text = {part(IFB_PART_TEXT)};
  const std::array later = {part(IFB_PART_TEXT), part(99)};
  EXPECT_TRUE(is_known(sample_of(IFB_PROMPT_TEXT, text)));
  EXPECT_TRUE(is_known(sample_of(0, text))) << "a mistake, and not a later contract";
  EXPECT_FALSE(is_known(sample_of(77, text)));
  EXPECT_FALSE(is_known(sample_of(IFB_PROMPT_PARTS, later)));
  ifb_message message{};
  message.struct_size = sizeof message;
  message.parts = {later.data(), 2, sizeof(ifb_part)};
  ifb_sample chat{};
  chat.shape = IFB_PROMPT_CHAT;
  chat.messages = {&message, 1, sizeof message};
  EXPECT_FALSE(is_known(chat));
  chat.messages.first = nullptr;
  EXPECT_TRUE(is_known(chat));
}

TEST(shape, media_of_unknown_kinds_are_no_mistake_and_are_dropped) {
  const std::array text = {part(IFB_PART_TEXT)};
  const std::array media = {part(99), part(IFB_PART_IMAGE), part(0), part(IFB_PART_AUDIO)};
  dataset::sample made;
  made.clear();
  made.c = sample_of(IFB_PROMPT_TEXT, text);
  made.c.media = {media.data(), 4, sizeof(ifb_part)};
  EXPECT_EQ(wrong_with(made.c), nullptr);
  drop_unknown_media(made);
  ASSERT_EQ(made.c.media.count, 2U);
  EXPECT_EQ(ifb::view(made.c.media)[0].kind, std::uint32_t{IFB_PART_IMAGE});
  EXPECT_EQ(ifb::view(made.c.media)[1].kind, std::uint32_t{IFB_PART_AUDIO});

  const std::array none = {part(99)};
  made.c.media = {none.data(), 1, sizeof(ifb_part)};
  drop_unknown_media(made);
  EXPECT_EQ(made.c.media.count, 0U);
}

TEST(shape, media_of_known_kinds_stay_where_they_are) {
  const std::array media = {part(IFB_PART_IMAGE)};
  dataset::sample made;
  made.clear();
  made.c.media = {media.data(), 1, sizeof(ifb_part)};
  drop_unknown_media(made);
  EXPECT_EQ(made.c.media.first, media.data());
}

}  // namespace
