#include "prompts/prefix_sharing.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <inferbench/views.hpp>

namespace inferbench::prompts {
namespace {

/// A text of `bytes` bytes; a different text for each `which`.
std::string text(std::size_t bytes, int which) {
  std::string out;
  std::uint32_t state = static_cast<std::uint32_t>(which) * 2654435761U + 1;
  while (out.size() < bytes) {
    state = state * 1664525U + 1013904223U;
    out += static_cast<char>('a' + (state >> 24U) % 26);
  }
  return out;
}

class sharing : public ::testing::Test {
 protected:
  void add(const std::string& prompt, std::int64_t tokens = -1) {
    const ifb_part part = ifb::text_part(prompt);
    ifb_sample one = ifb::blank_sample();
    one.shape = IFB_PROMPT_TEXT;
    one.prompt = ifb::list_of({&part, 1});
    one.input_tokens = tokens;
    subject.add(one);
  }
  [[nodiscard]] double most() const {
    const auto found = subject.shares();
    EXPECT_TRUE(found);
    return found ? found->most : -1;
  }

  prefix_sharing subject{100, 1, false};
};

TEST_F(sharing, of_prompts_without_a_common_prefix_is_zero) {
  EXPECT_FALSE(subject.shares());
  for (int i = 0; i < 50; ++i)
    add(text(4000, i), 1000);
  EXPECT_EQ(most(), 0);
  EXPECT_EQ(subject.shares()->in_blocks, 0);
}

TEST_F(sharing, counts_prefixes_of_earlier_prompts) {
  const std::string common = text(2048, 0);
  for (int i = 1; i <= 4; ++i)
    add(common + text(2048, i), 1024);
  // Three of four prompts share half of their 1024 tokens. Prefixes are compared in steps of 32
  // bytes.
  EXPECT_NEAR(most(), 0.375, 0.01);
  EXPECT_NEAR(subject.shares()->in_blocks, 0.375, 0.01);
  EXPECT_LE(subject.shares()->in_blocks, most());
}

TEST_F(sharing, counts_a_prefix_and_nothing_after_a_difference) {
  const std::string common = text(2048, 0);
  add("a" + common);
  add("b" + common);
  EXPECT_EQ(most(), 0);
}

TEST_F(sharing, of_a_prompt_sent_again_is_all_of_it) {
  add("brief", 5);
  add("brief", 5);
  EXPECT_EQ(most(), 0.5);
  EXPECT_EQ(subject.shares()->in_blocks, 0) << "less than a block";
  add(text(700, 1), 161);
  add(text(700, 1), 161);
  EXPECT_EQ(most(), 0.5);
  // The server computes the last token again, so 160 of the 161 tokens count.
  EXPECT_NEAR(subject.shares()->in_blocks, 160.0 / 332, 1e-12);
}

TEST_F(sharing, weighs_prompts_by_their_tokens) {
  add(text(1024, 0), 900);
  add(text(1024, 0), 100);
  EXPECT_EQ(most(), 0.1);
}

TEST_F(sharing, includes_prompts_that_were_sent_before_the_run) {
  const std::string prompt = text(1000, 0);
  const ifb_part part = ifb::text_part(prompt);
  ifb_sample one = ifb::blank_sample();
  one.shape = IFB_PROMPT_TEXT;
  one.prompt = ifb::list_of({&part, 1});
  subject.sent_before(one, 3);
  add(prompt);
  EXPECT_EQ(most(), 1);
  subject.clear();
  EXPECT_FALSE(subject.shares());
  add(prompt);
  EXPECT_EQ(most(), 0) << "a new run knows nothing";
}

TEST_F(sharing, of_the_first_prompts_ignores_the_later_prompts) {
  for (int i = 0; i < 100; ++i)
    add(text(1000, i));
  for (int i = 0; i < 100; ++i)
    add(text(1000, i));
  // A few matches are lost, because beginnings share places of the small table.
  constexpr double lost = 0.01;
  EXPECT_NEAR(most(), 0.5, lost);
  EXPECT_EQ(subject.shares(100)->most, 0);
  EXPECT_NEAR(subject.shares(125)->most, 0.2, lost);
  EXPECT_EQ(subject.shares(0)->most, 0) << "as of one prompt";
  EXPECT_EQ(subject.shares(500)->most, most()) << "as of all";
}

TEST_F(sharing, of_the_first_of_many_prompts_is_exact_to_one_in_512) {
  const std::string same = text(64, 0);
  for (int i = 1; i <= 5000; ++i)
    add(text(64, i));
  for (int i = 0; i < 5000; ++i)
    add(same);
  EXPECT_EQ(subject.shares(4990)->most, 0);
  // All of the later 2,500 prompts but the first one are shared.
  EXPECT_NEAR(subject.shares(7500)->most, 2499.0 / 7500, 0.003);
}

TEST_F(sharing, of_several_servers_is_that_of_each) {
  subject = prefix_sharing(100, 2, false);
  add(text(1000, 0));
  add(text(1000, 0));
  EXPECT_EQ(most(), 0);
  add(text(1000, 0));
  add(text(1000, 0));
  EXPECT_EQ(most(), 0.5);
}

TEST_F(sharing, of_long_prompts_costs_few_places) {
  const std::string common = text(3'000'000, 0);
  add(common + "a");
  for (int i = 1; i < 20; ++i)
    add(text(20'000, i));
  add(common + "b");
  EXPECT_NEAR(most(), 3.0 / 6.38, 0.02);
}

TEST_F(sharing, of_a_common_beginning_is_found_however_much_is_forgotten) {
  subject = prefix_sharing(1, 1, false);  // the smallest table
  const std::string common = text(4096, 0);
  for (int i = 1; i <= 2000; ++i)
    add(common + text(4096, i));
  EXPECT_NEAR(most(), 0.5, 0.03);
}

TEST_F(sharing, of_tokens_is_that_of_ids) {
  std::vector<std::uint32_t> ids(64);
  for (std::uint32_t i = 0; i < 64; ++i)
    ids[i] = i * 7919;
  ifb_part part{};
  part.struct_size = sizeof part;
  part.kind = IFB_PART_TOKENS;
  part.data = {ids.data(), ids.size() * sizeof ids[0]};
  ifb_sample one = ifb::blank_sample();
  one.shape = IFB_PROMPT_TOKENS;
  one.prompt = ifb::list_of({&part, 1});
  subject.add(one);
  ids[32] = 1;
  subject.add(one);
  EXPECT_EQ(most(), 0.25);
}

TEST_F(sharing, of_messages_is_that_of_roles_and_contents) {
  const std::string first = text(480, 0);
  const std::string second = text(500, 1);
  const ifb_part parts[] = {ifb::text_part(first), ifb::text_part(second)};
  const ifb_message said[] = {ifb::message("system", ifb::list_of({&parts[0], 1})),
                              ifb::message("user", ifb::list_of({&parts[1], 1}))};
  ifb_sample one = ifb::blank_sample();
  one.shape = IFB_PROMPT_CHAT;
  one.messages = ifb::list_of(said);
  subject.add(one);
  subject.add(one);
  EXPECT_EQ(most(), 0.5);
}

TEST_F(sharing, is_not_known_of_prompts_whose_place_in_a_cache_is_not) {
  const ifb_part text_of_it = ifb::text_part("abc");
  ifb_part image{};
  image.struct_size = sizeof image;
  image.kind = IFB_PART_IMAGE;
  ifb_sample one = ifb::blank_sample();
  one.prompt = ifb::list_of({&text_of_it, 1});
  for (const std::uint32_t shape : {IFB_PROMPT_TEXTS, IFB_PROMPT_TOKEN_LISTS, IFB_PROMPT_JSON}) {
    one.shape = shape;
    subject.clear();
    add("plain");
    EXPECT_TRUE(subject.shares());
    subject.add(one);
    EXPECT_FALSE(subject.shares());
    add("plain");
    EXPECT_FALSE(subject.shares()) << "for this run";
  }
  subject.clear();
  one.shape = IFB_PROMPT_TEXT;
  one.media = ifb::list_of({&image, 1});
  subject.add(one);
  EXPECT_FALSE(subject.shares());
  subject.clear();
  one.shape = IFB_PROMPT_PARTS;
  one.media = {};
  one.prompt = ifb::list_of({&image, 1});
  subject.add(one);
  EXPECT_FALSE(subject.shares());
}

TEST_F(sharing, is_not_known_where_tools_or_ready_made_messages_are_in_the_prompt) {
  const ifb_message ready = ifb::json_message("user", R"({"role": "user", "content": "abc"})");
  ifb_sample one = ifb::blank_sample();
  one.shape = IFB_PROMPT_CHAT;
  one.messages = ifb::list_of({&ready, 1});
  subject.add(one);
  EXPECT_FALSE(subject.shares());
  subject.clear();
  const ifb_part text_of_it = ifb::text_part("abc");
  const ifb_message said = ifb::message("user", ifb::list_of({&text_of_it, 1}));
  one.messages = ifb::list_of({&said, 1});
  subject.add(one);
  EXPECT_TRUE(subject.shares());
  one.overrides = ifb::str(R"({"tools": []})");
  subject.add(one);
  EXPECT_FALSE(subject.shares());
}

TEST_F(sharing, of_a_conversation_includes_its_earlier_turns) {
  subject = prefix_sharing(10, 1, true);
  subject.clear();
  std::vector<std::string> texts;
  std::vector<ifb_part> parts(3);
  std::vector<ifb_message> said;
  for (int i = 0; i < 3; ++i)
    texts.push_back(text(1000, i));
  for (std::size_t i = 0; i < 3; ++i) {
    parts[i] = ifb::text_part(texts[i]);
    said.push_back(ifb::message(i == 1 ? "assistant" : "user", ifb::list_of({&parts[i], 1})));
  }
  ifb_sample one = ifb::blank_sample();
  one.shape = IFB_PROMPT_CHAT;
  one.messages = ifb::list_of(said);
  subject.add(one);
  // The first request has 1000 bytes. The second request has 3000 bytes. Its first 2000 bytes were
  // sent before: the first request, and the answer of 1000 bytes, which some servers keep in the
  // cache.
  ASSERT_TRUE(subject.shares());
  EXPECT_NEAR(subject.shares()->most, 0.5, 0.01);
  EXPECT_NEAR(subject.shares()->in_blocks, 0.25, 0.02);
  subject.add(one);
  EXPECT_NEAR(subject.shares()->most, 0.75, 0.01) << "the second has been there as a whole";
  subject = prefix_sharing(10, 2, true);
  subject.clear();
  subject.add(one);
  EXPECT_FALSE(subject.shares()) << "it is unknown which server has it";
}

TEST_F(sharing, a_conversation_that_asks_nothing_counts_nothing) {
  subject = prefix_sharing(10, 1, true);
  subject.clear();
  const ifb_part part = ifb::text_part("abc");
  const ifb_message said = ifb::message("assistant", ifb::list_of({&part, 1}));
  ifb_sample one = ifb::blank_sample();
  one.shape = IFB_PROMPT_CHAT;
  one.messages = ifb::list_of({&said, 1});
  subject.add(one);
  EXPECT_FALSE(subject.shares());
}

}  // namespace
}  // namespace inferbench::prompts
