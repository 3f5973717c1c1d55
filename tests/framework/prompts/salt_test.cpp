#include "prompts/salt.hpp"

#include <list>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/views.hpp>

#include "dataset/conversation.hpp"
#include "framework/services/piece_tokenizer.hpp"
#include "plugin/instance.hpp"

namespace inferbench::prompts {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const services::tokenizer piece_tokens(fake::choice<fake::pieces>("pieces"), {});

/// Samples and their prompts after salting.
class salted_bench {
 public:
  explicit salted_bench(bool exact = false, const services::tokenizer* by = &piece_tokens)
      : subject("x-", by, exact) {}

  dataset::sample& sample(std::uint32_t shape, std::vector<ifb_part> parts,
                          std::int64_t input_tokens = 100) {
    samples.push_back(pool.take());
    dataset::sample& out = *samples.back();
    held.push_back(std::move(parts));
    out.c.shape = shape;
    out.c.prompt = ifb::list_of(held.back());
    out.c.input_tokens = input_tokens;
    return out;
  }
  dataset::sample& chat(std::vector<ifb_message> messages, std::int64_t input_tokens = 100) {
    dataset::sample& out = sample(IFB_PROMPT_CHAT, {}, input_tokens);
    said.push_back(std::move(messages));
    out.c.messages = ifb::list_of(said.back());
    return out;
  }
  void put() { subject.put_into(samples); }

  static std::string text(const ifb_part& part) { return std::string(plugin::view(part.data)); }
  static std::vector<std::string> texts(const ifb_part_list& of) {
    std::vector<std::string> out;
    for (const ifb_part& part : ifb::view(of))
      out.push_back(text(part));
    return out;
  }

  dataset::pool pool;
  std::vector<dataset::sample_ptr> samples;
  std::list<std::vector<ifb_part>> held;
  std::list<std::vector<ifb_message>> said;
  salt subject;
};

ifb_part ids(const std::vector<std::uint32_t>& from) {
  ifb_part out{};
  out.struct_size = sizeof out;
  out.kind = IFB_PART_TOKENS;
  out.data = {from.data(), from.size() * sizeof from[0]};
  return out;
}

ifb_part image() {
  ifb_part out{};
  out.struct_size = sizeof out;
  out.kind = IFB_PART_IMAGE;
  out.uri = ifb::str("http://x/y.png");
  return out;
}

TEST(salt, is_put_before_a_text_whose_length_grows) {
  salted_bench b;
  const auto& one = b.sample(IFB_PROMPT_TEXT, {ifb::text_part("abc")}, 1);
  const auto& unknown = b.sample(IFB_PROMPT_TEXT, {ifb::text_part("def")}, -1);
  b.put();
  EXPECT_THAT(b.texts(one.c.prompt), ElementsAre("x-abc"));
  EXPECT_EQ(one.c.input_tokens, 3);
  EXPECT_THAT(b.texts(unknown.c.prompt), ElementsAre("x-def"));
  EXPECT_EQ(unknown.c.input_tokens, -1);
  EXPECT_THAT(b.subject.notes(), IsEmpty());
}

TEST(salt, is_put_before_each_of_several_texts) {
  salted_bench b;
  const auto& one = b.sample(IFB_PROMPT_TEXTS, {ifb::text_part("abc"), ifb::text_part("def")}, 2);
  b.put();
  EXPECT_THAT(b.texts(one.c.prompt), ElementsAre("x-abc", "x-def"));
  EXPECT_EQ(one.c.input_tokens, 6);
}

TEST(salt, is_at_the_same_place_in_a_rendered_text_and_its_message) {
  salted_bench b;
  auto& one = b.sample(IFB_PROMPT_TEXT, {ifb::text_part("<s>[user] hi [end]")}, 9);
  const ifb_message message = ifb::json_message("user", R"({"role":"user","content":"hi"})");
  one.c.messages = ifb::list_of({&message, 1});
  b.put();
  EXPECT_THAT(b.texts(one.c.prompt), ElementsAre("<s>[user] x-hi [end]"));
  EXPECT_EQ(plugin::view(one.c.messages.first->json), R"({"role":"user","content":"x-hi"})");
  EXPECT_EQ(one.c.input_tokens, 11) << "counted once";
  EXPECT_EQ(plugin::view(message.json), R"({"role":"user","content":"hi"})") << "the dataset's own";
}

TEST(salt, is_put_into_the_first_message_of_a_chat) {
  salted_bench b;
  const ifb_part said[] = {ifb::text_part("be kind"), ifb::text_part("abc")};
  const auto& plain = b.chat({ifb::message("system", ifb::list_of({&said[0], 1}), 4),
                              ifb::message("user", ifb::list_of({&said[1], 1}), 1)},
                             5);
  const auto& mute = b.chat({ifb::json_message("assistant", R"({"content":null})"),
                             ifb::json_message("user", R"({"content":"hi"})")});
  b.put();
  EXPECT_THAT(b.texts(plain.c.messages.first[0].parts), ElementsAre("x-be kind"));
  EXPECT_THAT(b.texts(plain.c.messages.first[1].parts), ElementsAre("abc"));
  EXPECT_EQ(plain.c.messages.first[0].tokens, 6);
  EXPECT_EQ(plain.c.messages.first[1].tokens, 1);
  EXPECT_EQ(plain.c.input_tokens, 7);
  EXPECT_EQ(plugin::view(mute.c.messages.first[0].json), R"({"content":null})");
  EXPECT_EQ(plugin::view(mute.c.messages.first[1].json), R"({"content":"x-hi"})");
  EXPECT_EQ(salted_bench::text(said[0]), "be kind") << "the dataset's own";
}

TEST(salt, is_put_into_each_turn_that_is_sent_without_the_turns_before_it) {
  salted_bench b;
  const ifb_part said[] = {ifb::text_part("be kind"), ifb::text_part(""), ifb::text_part("abc")};
  auto& alone = b.chat({ifb::message("user", ifb::list_of({&said[0], 1}), 4),
                        ifb::message("assistant", ifb::list_of({&said[1], 1})),
                        ifb::message("user", ifb::list_of({&said[2], 1}), 1)});
  const ifb_field none = ifb::field(dataset::history_field, dataset::no_history);
  alone.c.metadata = &none;
  alone.c.metadata_count = 1;
  b.put();
  EXPECT_THAT(b.texts(alone.c.messages.first[0].parts), ElementsAre("x-be kind"));
  EXPECT_THAT(b.texts(alone.c.messages.first[1].parts), ElementsAre(""));
  EXPECT_THAT(b.texts(alone.c.messages.first[2].parts), ElementsAre("x-abc"));
}

TEST(salt, is_a_separate_part_before_parts_that_are_not_text) {
  salted_bench b;
  const auto& one = b.sample(IFB_PROMPT_PARTS, {image(), ifb::text_part("abc")}, 10);
  const auto& two = b.sample(IFB_PROMPT_PARTS, {ifb::text_part("abc"), image()}, 10);
  b.put();
  EXPECT_THAT(b.texts(one.c.prompt), ElementsAre("x-", "", "abc"));
  EXPECT_EQ(one.c.prompt.first[0].kind, static_cast<std::uint32_t>(IFB_PART_TEXT));
  EXPECT_EQ(plugin::view(one.c.prompt.first[1].uri), "http://x/y.png");
  EXPECT_EQ(one.c.input_tokens, 12);
  EXPECT_THAT(b.texts(two.c.prompt), ElementsAre("x-abc", ""));
}

TEST(salt, of_tokens_comes_after_the_token_that_the_model_adds) {
  salted_bench b;
  const std::vector<std::uint32_t> with{fake::pieces::bos, 1, 2};
  const std::vector<std::uint32_t> without{1, 2};
  const auto& one = b.sample(IFB_PROMPT_TOKENS, {ids(with)}, 3);
  const auto& two = b.sample(IFB_PROMPT_TOKEN_LISTS, {ids(without), ids(with)}, 5);
  b.put();
  const auto salted = salt_text("x-", &piece_tokens, false).ids();
  EXPECT_THAT(ifb::tokens_of(one.c.prompt.first[0]),
              ElementsAre(fake::pieces::bos, salted[0], salted[1], 1, 2));
  EXPECT_EQ(one.c.input_tokens, 5);
  EXPECT_THAT(ifb::tokens_of(two.c.prompt.first[0]), ElementsAre(salted[0], salted[1], 1, 2));
  EXPECT_EQ(two.c.input_tokens, 9);
}

TEST(salt, of_tokens_of_a_length_takes_the_place_of_the_first) {
  salted_bench b(true);
  const std::vector<std::uint32_t> with{fake::pieces::bos, 1, 2, 3, 4};
  const auto& one = b.sample(IFB_PROMPT_TOKENS, {ids(with)}, 5);
  b.put();
  const auto salted = salt_text("x-", &piece_tokens, false).ids();
  EXPECT_THAT(ifb::tokens_of(one.c.prompt.first[0]),
              ElementsAre(fake::pieces::bos, salted[0], salted[1], 3, 4));
  EXPECT_EQ(one.c.input_tokens, 5);
  EXPECT_THAT(b.subject.notes(), IsEmpty());
}

TEST(salt, of_prompts_that_cannot_keep_their_length_is_reported_with_the_difference) {
  salted_bench b(true);
  b.sample(IFB_PROMPT_TEXT, {ifb::text_part("12345678")}, 8);
  const auto& brief = b.sample(IFB_PROMPT_TEXT, {ifb::text_part("123")}, 3);
  b.sample(IFB_PROMPT_TEXT, {ifb::text_part("1")}, 1);
  b.put();
  EXPECT_THAT(b.texts(b.samples[0]->c.prompt), ElementsAre("x-345678"));
  EXPECT_EQ(brief.c.input_tokens, 5);
  EXPECT_THAT(b.subject.notes(),
              ElementsAre("with the salt 2 of 3 prompts are longer or shorter than they were made, "
                          "by at most 2 tokens"));
  b.subject.begin(1);
  EXPECT_THAT(b.subject.notes(), IsEmpty());
}

TEST(salt, prompts_without_a_place_for_it_are_counted) {
  salted_bench b;
  const ifb_part json = ifb::text_part("{}");
  b.sample(IFB_PROMPT_JSON, {json});
  b.chat({ifb::json_message("user", R"({"content":null})")});
  b.chat({ifb::json_message("user", "no json")});
  b.sample(IFB_PROMPT_TEXT, {ifb::text_part("abc")});
  b.put();
  EXPECT_THAT(b.texts(b.samples[0]->c.prompt), ElementsAre("{}"));
  EXPECT_THAT(b.subject.notes(), ElementsAre("3 of 4 prompts went without the salt: they have no "
                                             "text that it could stand in front of"));
}

TEST(salt, of_a_later_run_of_a_series_is_another) {
  salted_bench b;
  EXPECT_EQ(b.subject.text(), "x-");
  b.subject.begin(2);
  EXPECT_EQ(b.subject.text(), "2-x-");
  const auto& one = b.sample(IFB_PROMPT_TEXT, {ifb::text_part("abc")});
  b.put();
  EXPECT_THAT(b.texts(one.c.prompt), ElementsAre("2-x-abc"));
  b.subject.begin(3);
  EXPECT_EQ(b.subject.text(), "3-x-");
}

TEST(salt, of_many_prompts_is_put_in_by_several_threads) {
  salted_bench b(true);
  for (int i = 0; i < 200; ++i)
    b.sample(IFB_PROMPT_TEXT, {ifb::text_part("abc.def.ghi.jkl.1234")}, 12);
  b.put();
  for (const auto& one : b.samples)
    EXPECT_THAT(b.texts(one->c.prompt), ElementsAre("x-def.ghi.jkl.1234"));
  EXPECT_THAT(b.subject.notes(), IsEmpty());
}

TEST(salt, without_a_tokenizer_leaves_lengths_as_they_are) {
  salted_bench b(false, nullptr);
  const auto& one = b.sample(IFB_PROMPT_TEXT, {ifb::text_part("abc")}, 1);
  b.put();
  EXPECT_THAT(b.texts(one.c.prompt), ElementsAre("x-abc"));
  EXPECT_EQ(one.c.input_tokens, 1);
}

}  // namespace
}  // namespace inferbench::prompts
