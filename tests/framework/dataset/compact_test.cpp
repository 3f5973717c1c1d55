#include "dataset/compact.hpp"

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include <inferbench/views.hpp>

namespace inferbench::dataset {
namespace {

std::string_view text_in(const ifb_str& of) { return {of.data, of.size}; }
std::string_view text_in(const ifb_bytes& of) {
  return {static_cast<const char*>(of.data), of.size};
}

ifb_str put(base::arena& into, std::string_view text) {
  const std::string_view copy = into.copy(text);
  return {copy.data(), copy.size()};
}

template <typename element>
element* array_in(base::arena& into, std::size_t count) {
  return static_cast<element*>(into.alloc(count * sizeof(element)));
}

ifb_part text_part(base::arena& into, std::string_view text) {
  ifb_part out{};
  out.struct_size = sizeof out;
  out.kind = IFB_PART_TEXT;
  const ifb_str copy = put(into, text);
  out.data = {copy.data, copy.size};
  return out;
}

sample_ptr chat_with_everything() {
  sample_ptr out(new sample);
  out->clear();
  base::arena& memory = out->arena;
  auto* const parts = array_in<ifb_part>(memory, 2);
  parts[0] = text_part(memory, "what is this");
  parts[1] = text_part(memory, "bytes of an image");
  parts[1].kind = IFB_PART_IMAGE;
  parts[1].mime = put(memory, std::string_view("image/png\0", 10)).data;
  parts[1].name = put(memory, "a.png");
  auto* const message = array_in<ifb_message>(memory, 1);
  message->struct_size = sizeof *message;
  message->role = put(memory, "user");
  message->parts = {parts, 2, sizeof(ifb_part)};
  message->tokens = 7;
  auto* const fields = array_in<ifb_field>(memory, 1);
  fields[0] = {put(memory, "source"), put(memory, "row 3")};
  ifb_sample& c = out->c;
  c.shape = IFB_PROMPT_CHAT;
  c.messages = {message, 1, sizeof *message};
  c.id = put(memory, "id-3");
  c.overrides = put(memory, "{\"top_k\": 1}");
  c.metadata = fields;
  c.metadata_count = 1;
  c.output_tokens = 9;
  out->sequence = 3;
  out->row = 8;
  return out;
}

TEST(compact, keeps_every_member_when_the_sample_is_gone) {
  base::arena memory;
  const sample_ptr kept = compacted(chat_with_everything(), memory);
  const ifb_sample& c = kept->c;
  EXPECT_EQ(kept->sequence, 3U);
  EXPECT_EQ(kept->row, 8U);
  EXPECT_EQ(kept->arena.used(), 0U);
  ASSERT_EQ(c.messages.count, 1U);
  const ifb_message& message = ifb::view(c.messages)[0];
  EXPECT_EQ(text_in(message.role), "user");
  EXPECT_EQ(message.tokens, 7);
  ASSERT_EQ(message.parts.count, 2U);
  const ifb_part& image = ifb::view(message.parts)[1];
  EXPECT_EQ(text_in(ifb::view(message.parts)[0].data), "what is this");
  EXPECT_STREQ(image.mime, "image/png");
  EXPECT_EQ(text_in(image.data), "bytes of an image");
  EXPECT_EQ(text_in(image.name), "a.png");
  EXPECT_EQ(text_in(c.id), "id-3");
  EXPECT_EQ(text_in(c.overrides), "{\"top_k\": 1}");
  ASSERT_EQ(c.metadata_count, 1U);
  EXPECT_EQ(text_in(c.metadata[0].value), "row 3");
  EXPECT_EQ(c.output_tokens, 9);
  EXPECT_EQ(c.arrival_ns, -1);
}

TEST(compact, leaves_contents_of_the_dataset_where_they_are) {
  static const std::string shared = "a picture that many samples share";
  sample_ptr from(new sample);
  from->clear();
  auto* const part = array_in<ifb_part>(from->arena, 1);
  *part = ifb_part{};
  part->struct_size = sizeof *part;
  part->data = {shared.data(), shared.size()};
  from->c.media = {part, 1, sizeof *part};
  base::arena memory;
  const sample_ptr kept = compacted(std::move(from), memory);
  EXPECT_EQ(ifb::view(kept->c.media)[0].data.data, shared.data());
}

TEST(compact, leaves_a_large_sample_as_it_is) {
  sample_ptr from(new sample);
  from->clear();
  from->c.id = put(from->arena, std::string(100'000, 'x'));
  const char* const before = from->c.id.data;
  base::arena memory;
  const sample_ptr kept = compacted(std::move(from), memory);
  EXPECT_EQ(kept->c.id.data, before);
  EXPECT_EQ(memory.used(), 0U);
}

TEST(compact, leaves_a_sample_as_it_is_if_there_is_no_memory) {
  base::arena memory(8);
  const sample_ptr kept = compacted(chat_with_everything(), memory);
  EXPECT_EQ(text_in(kept->c.id), "id-3");
  EXPECT_NE(kept->arena.used(), 0U);
}

TEST(compact, takes_less_memory_than_the_arenas_of_the_samples) {
  base::arena memory;
  constexpr std::size_t count = 100;
  for (std::size_t i = 0; i < count; ++i)
    (void)compacted(chat_with_everything(), memory);
  // The first chunk of an arena alone has 4096 bytes.
  EXPECT_LT(memory.used(), count * 1024);
}

}  // namespace
}  // namespace inferbench::dataset
