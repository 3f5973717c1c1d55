// Conversations of the dataset random.
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/datasets/random_conversation_bench.hpp"

namespace {

using support::conversation_bench;
using support::dataset_bench;
using support::expect_alternation;
using support::expect_unfit;
using support::first_words;
using support::float_value;
using support::message_list;
using support::number_tokenizer;
using support::said;
using support::setting;
using support::settings;
using support::unfit_options;
using support::user_messages;
using ::testing::ElementsAre;
using ::testing::StartsWith;

TEST(random_conversations, have_three_turns_of_the_given_lengths) {
  conversation_bench b({{"input-len", "6"}, {"output-len", "8"}});
  ASSERT_EQ(b.box.prepare(20, 1), IFB_OK) << b.box.message();
  EXPECT_EQ(b.box.info.rows, 20);
  EXPECT_EQ(b.box.info.flags, std::uint32_t{IFB_DATASET_SESSIONS | IFB_DATASET_PARALLEL});
  EXPECT_THAT(b.box.host.log(), ElementsAre("conversations of 3 turns, first messages of 6 tokens, "
                                            "later messages of 6, answers of 8"));
  for (const message_list& all : b.rows(20)) {
    expect_alternation(all);
    ASSERT_EQ(all.size(), 6U);
    for (const said& each : all)
      EXPECT_EQ(each.tokens, each.role == "user" ? 6 : 8);
  }
  EXPECT_EQ(b.box.read(20), IFB_END);
}

TEST(random_conversations, without_a_number_have_no_end) {
  conversation_bench b(settings{{"input-len", "4"}});
  ASSERT_EQ(b.box.prepare(0, 1), IFB_OK) << b.box.message();
  EXPECT_EQ(b.box.info.rows, -1);
  const message_list far = b.row(123'456'789'012);
  EXPECT_NE(far, b.row(0));
  EXPECT_EQ(far, b.row(123'456'789'012));
}

TEST(random_conversations, have_as_many_turns_as_are_drawn) {
  const auto sizes = [](const settings& given) {
    conversation_bench b(given);
    EXPECT_EQ(b.box.prepare(100, 1), IFB_OK) << b.box.message();
    std::set<std::size_t> out;
    for (const message_list& all : b.rows(100))
      out.insert(all.size() / 2);
    return out;
  };
  EXPECT_THAT(sizes({{"input-len", "2"}, {"multi-turn-num-turns", 1}}), ElementsAre(1U));
  EXPECT_THAT(sizes({{"input-len", "2"}, {"multi-turn-num-turns", 5}}), ElementsAre(5U));
  EXPECT_THAT(sizes({{"input-len", "2"}, {"multi-turn-min-turns", 2}, {"multi-turn-max-turns", 5}}),
              ElementsAre(2U, 3U, 4U, 5U));
  EXPECT_THAT(sizes({{"input-len", "2"}, {"multi-turn-min-turns", 2}}), ElementsAre(2U, 3U));
  EXPECT_THAT(sizes({{"input-len", "2"}, {"multi-turn-max-turns", 4}}), ElementsAre(3U, 4U));
}

TEST(random_conversations, draw_the_length_of_each_message_and_answer) {
  conversation_bench b({{"input-len", "10"},
                        {"output-len", "4"},
                        {"per-turn-input-len", "4"},
                        {"range-ratio", R"({"input": 0.25, "output": 0.25})"}});
  ASSERT_EQ(b.box.prepare(300, 3), IFB_OK) << b.box.message();
  EXPECT_THAT(b.box.host.log(),
              ElementsAre("conversations of 3 turns, first messages of 7 to 13 tokens, later "
                          "messages of 3 to 5, answers of 3 to 5"));
  std::set<std::int64_t> first;
  std::set<std::int64_t> later;
  std::set<std::int64_t> answers;
  bool varies = false;
  for (const message_list& all : b.rows(300)) {
    expect_alternation(all);
    first.insert(all[0].tokens);
    for (std::size_t i = 2; i < all.size(); i += 2)
      later.insert(all[i].tokens);
    for (std::size_t i = 1; i < all.size(); i += 2)
      answers.insert(all[i].tokens);
    varies = varies || all[1].tokens != all[3].tokens;
  }
  EXPECT_THAT(first, ElementsAre(7, 8, 9, 10, 11, 12, 13));
  EXPECT_THAT(later, ElementsAre(3, 4, 5));
  EXPECT_THAT(answers, ElementsAre(3, 4, 5));
  EXPECT_TRUE(varies) << "the answers of a conversation have lengths of their own";
}

TEST(random_conversations, take_distributions_of_lengths) {
  conversation_bench b({{"input-len", "uniform(6, 7)"}, {"per-turn-input-len", "uniform(2, 3)"}});
  ASSERT_EQ(b.box.prepare(50, 3), IFB_OK) << b.box.message();
  std::set<std::int64_t> first;
  std::set<std::int64_t> later;
  for (const message_list& all : b.rows(50)) {
    first.insert(all[0].tokens);
    later.insert(all[2].tokens);
  }
  EXPECT_THAT(first, ElementsAre(6, 7));
  EXPECT_THAT(later, ElementsAre(2, 3));
}

TEST(random_conversations, subtract_the_tokens_that_the_model_adds_once_per_request) {
  number_tokenizer adds;
  adds.added = 3;
  conversation_bench history({{"input-len", "10"}, {"per-turn-input-len", "8"}}, adds);
  ASSERT_EQ(history.box.prepare(1), IFB_OK) << history.box.message();
  const message_list one = user_messages(history.row(0));
  EXPECT_EQ(one[0].tokens, 7);
  EXPECT_EQ(one[1].tokens, 8);
  conversation_bench alone({{"input-len", "10"},
                            {"per-turn-input-len", "8"},
                            {"multi-turn-prefix-global-ratio", float_value(0.3)}},
                           adds);
  ASSERT_EQ(alone.box.prepare(1), IFB_OK) << alone.box.message();
  const message_list other = user_messages(alone.row(0));
  EXPECT_EQ(other[0].tokens, 7);
  EXPECT_EQ(other[1].tokens, 5);
}

TEST(random_conversations, are_the_same_for_a_seed_in_any_order_and_others_for_another_seed) {
  const settings given = {{"input-len", "5"},
                          {"prefix-len", "2"},
                          {"multi-turn-min-turns", 2},
                          {"multi-turn-max-turns", 4}};
  const auto run = [&](std::uint64_t seed) {
    conversation_bench b(given);
    EXPECT_EQ(b.box.prepare(20, seed), IFB_OK) << b.box.message();
    return b.rows(20);
  };
  const auto expected = run(1);
  EXPECT_EQ(run(1), expected);
  EXPECT_NE(run(2), expected);
  EXPECT_NE(expected[0], expected[1]);
  conversation_bench jumping(given);
  ASSERT_EQ(jumping.box.prepare(0, 1), IFB_OK);
  for (const std::uint64_t row : {7U, 3U, 19U, 0U, 3U})
    EXPECT_EQ(jumping.row(row), expected[row]) << row;
}

TEST(random_conversations, begin_like_the_prompts_without_an_end) {
  const settings given = {{"input-len", "5"}, {"prefix-len", "2"}};
  dataset_bench prompts("random", given);
  ASSERT_EQ(prompts.box.prepare(0, 4), IFB_OK);
  conversation_bench b(given);
  ASSERT_EQ(b.box.prepare(3, 4), IFB_OK);
  for (std::uint64_t row = 0; row < 3; ++row) {
    ASSERT_EQ(prompts.box.read(row), IFB_OK);
    EXPECT_EQ(b.row(row)[0].text, prompts.box.prompt());
  }
}

TEST(random_conversations, have_a_common_prefix_in_front_of_the_first_message_only) {
  conversation_bench b({{"input-len", "5"}, {"prefix-len", "4"}});
  ASSERT_EQ(b.box.prepare(30, 1), IFB_OK) << b.box.message();
  EXPECT_THAT(b.box.host.log(),
              ElementsAre("conversations of 3 turns, first messages of 5 tokens after a prefix of "
                          "4, later messages of 5, answers of 128"));
  const auto prefix = first_words(b.row(0)[0].text, 4);
  for (const message_list& all : b.rows(30)) {
    expect_alternation(all);
    EXPECT_EQ(first_words(all[0].text, 4), prefix);
    EXPECT_EQ(all[0].tokens, 9);
    EXPECT_EQ(all[2].tokens, 5);
    EXPECT_NE(first_words(all[2].text, 4), prefix);
  }
}

TEST(random_conversations, have_no_two_equal_turns_even_with_few_texts) {
  number_tokenizer few;
  few.size = 12;
  few.special = {0, 1};
  conversation_bench b({{"input-len", "1"}, {"multi-turn-num-turns", 10}}, few);
  ASSERT_EQ(b.box.prepare(30, 1), IFB_OK) << b.box.message();
  for (const message_list& all : b.rows(30)) {
    std::set<std::string> texts;
    for (const said& each : user_messages(all))
      texts.insert(each.text);
    EXPECT_THAT(texts, ElementsAre("10", "11", "2", "3", "4", "5", "6", "7", "8", "9"));
  }
}

TEST(random_conversations, repeat_a_turn_if_there_are_fewer_texts_than_turns) {
  number_tokenizer one;
  one.size = 1;
  conversation_bench b({{"input-len", "2"}}, one);
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  for (const said& each : user_messages(b.row(0)))
    EXPECT_EQ(each.text, "0 0");
}

TEST(random_conversations, count_the_tokens_of_the_text_and_report_wrong_lengths) {
  number_tokenizer grows;
  grows.tail = {9};
  conversation_bench b({{"input-len", "4"}, {"prefix-len", "2"}}, grows);
  ASSERT_EQ(b.box.prepare(2), IFB_OK);
  for (const message_list& all : b.rows(2)) {
    EXPECT_EQ(all[0].tokens, 7);  // 2 + 4, and one token that encoding always adds
    EXPECT_EQ(all[2].tokens, 5);
  }
  (void)b.rows(2);
  EXPECT_THAT(b.box.host.log(),
              ElementsAre(StartsWith("conversations of 3 turns"),
                          "the common prefix has 3 tokens, not the 2 asked for",
                          "2 of 2 prompts are not of the length asked for: 6 tokens too many in "
                          "all, as some ids do not survive decoding and encoding"));
}

TEST(random_conversations, options_of_conversations_are_refused_for_prompts) {
  const char* const said = "is about conversations; add --multi-turn";
  const std::vector<std::pair<const char*, setting>> cases = {
      {"multi-turn-num-turns", 4},
      {"multi-turn-min-turns", 2},
      {"multi-turn-max-turns", 2},
      {"per-turn-input-len", "9"},
      {"multi-turn-prefix-global-ratio", float_value(0.1)},
      {"multi-turn-prefix-conversation-ratio", float_value(0.1)}};
  for (const auto& [option, value] : cases)
    expect_unfit({{{option, value}}, option, said}, false);
  dataset_bench usual("random", {{"multi-turn-num-turns", 3},
                                 {"multi-turn-min-turns", 0},
                                 {"multi-turn-max-turns", 0},
                                 {"per-turn-input-len", "0"},
                                 {"multi-turn-prefix-global-ratio", float_value(0)},
                                 {"multi-turn-prefix-conversation-ratio", float_value(0)}});
  EXPECT_EQ(usual.box.prepare(1), IFB_OK) << usual.box.message();
}

TEST(random_conversations, options_that_do_not_fit_together_are_refused_by_name) {
  const std::vector<unfit_options> cases = {
      {{{"prompt-token-ids", 1}}, "prompt-token-ids", "conversations are chat messages"},
      {{{"batch-size", 2}}, "batch-size", "conversations are chat messages"},
      {{{"multi-turn-min-turns", 4}},
       "multi-turn-min-turns",
       "4 turns are more than the 3 of --multi-turn-num-turns"},
      {{{"multi-turn-min-turns", 4}, {"multi-turn-max-turns", 2}},
       "multi-turn-min-turns",
       "4 turns are more than the 2 of --multi-turn-max-turns"},
      {{{"multi-turn-max-turns", 1}},
       "multi-turn-max-turns",
       "1 turn is fewer than the 3 of --multi-turn-num-turns"},
      {{{"per-turn-input-len", "x"}}, "per-turn-input-len", "not \"x\""},
      {{{"per-turn-input-len", "1"}, {"range-ratio", "0.5"}},
       "per-turn-input-len",
       "a message after the first may come out empty: 1 tokens"},
      {{{"input-len", "0"}, {"prefix-len", "3"}},
       "input-len",
       "a message after the first may come out empty"},
      {{{"per-turn-input-len", "normal(9, 1)"}, {"range-ratio", "0.1"}},
       "range-ratio",
       "leave one of them"},
      {{{"input-len", "0"}}, "input-len", "a first message may come out empty: 0 tokens less 0"}};
  for (const unfit_options& each : cases)
    expect_unfit(each, true);
}

TEST(random_conversations, memory_that_runs_out_is_a_status) {
  conversation_bench b(settings{{"input-len", "4"}});
  ASSERT_EQ(b.box.prepare(1), IFB_OK);
  support::expect_memory_needed(b.box, 8);
}

}  // namespace
