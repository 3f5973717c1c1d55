// Conversations of the dataset random whose turns are sent alone.
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/views.hpp>

#include "plugins/datasets/random_conversation_bench.hpp"

namespace {

using support::conversation_bench;
using support::expect_alternation;
using support::expect_unfit;
using support::first_words;
using support::float_value;
using support::message_list;
using support::number_tokenizer;
using support::said;
using support::settings;
using support::split_words;
using support::unfit_options;
using support::user_messages;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const settings sent_alone = {{"input-len", "20"},
                             {"per-turn-input-len", "12"},
                             {"prefix-len", "2"},
                             {"multi-turn-prefix-global-ratio", float_value(0.2)},
                             {"multi-turn-prefix-conversation-ratio", float_value(0.28)}};

TEST(separate_turns, begin_with_the_prefix_of_all_and_the_prefix_of_their_conversation) {
  conversation_bench b(sent_alone);
  ASSERT_EQ(b.box.prepare(25, 1), IFB_OK) << b.box.message();
  EXPECT_EQ(b.box.info.flags, std::uint32_t{IFB_DATASET_SESSIONS | IFB_DATASET_PARALLEL});
  EXPECT_THAT(
      b.box.host.log(),
      ElementsAre(
          "conversations of 3 turns, first messages of 20 tokens after a prefix of 2, "
          "later messages of 12 after a prefix of 2, answers of 128; each turn is sent "
          "alone, and begins with 4 tokens of all conversations and 5 of its conversation"));
  const auto all = first_words(b.row(0)[0].text, 2 + 4);
  std::set<std::vector<std::string>> own;
  std::set<std::string> rests;
  for (const message_list& each : b.rows(25)) {
    expect_alternation(each);
    EXPECT_EQ(each[0].tokens, 2 + 20);
    EXPECT_EQ(each[2].tokens, 2 + 12);
    const auto beginning = first_words(each[0].text, 2 + 4 + 5);
    own.insert(beginning);
    for (const said& turn : user_messages(each)) {
      EXPECT_EQ(first_words(turn.text, 2 + 4), all);
      EXPECT_EQ(first_words(turn.text, 2 + 4 + 5), beginning);
      rests.insert(split_words(turn.text)[2 + 4 + 5]);
    }
  }
  EXPECT_EQ(own.size(), 25U);
  EXPECT_GT(rests.size(), 50U);  // of 75 turns, each at a place of its own in the vocabulary
}

TEST(separate_turns, are_marked_as_turns_without_history) {
  const auto metadata = [](const settings& given) {
    conversation_bench b(given);
    EXPECT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
    (void)b.row(0);
    std::string out;
    for (const ifb_field& each : ifb::metadata_of(b.box.sample))
      out += std::string(ifb::view(each.name)) + "=" + std::string(ifb::view(each.value)) + "\n";
    return out;
  };
  EXPECT_EQ(metadata(sent_alone), "conversation.history=none\n");
  EXPECT_EQ(metadata({{"input-len", "20"}}), "");
}

TEST(separate_turns, have_one_kind_of_prefix_if_one_ratio_is_given) {
  conversation_bench global(
      {{"input-len", "10"}, {"multi-turn-prefix-global-ratio", float_value(0.5)}});
  ASSERT_EQ(global.box.prepare(20, 1), IFB_OK) << global.box.message();
  const auto rows = global.rows(20);
  std::set<std::vector<std::string>> longer;
  for (const message_list& each : rows) {
    for (const said& turn : user_messages(each)) {
      EXPECT_EQ(first_words(turn.text, 5), first_words(rows[0][0].text, 5));
      longer.insert(first_words(turn.text, 6));
    }
  }
  EXPECT_GT(longer.size(), 20U);

  conversation_bench own(
      {{"input-len", "10"}, {"multi-turn-prefix-conversation-ratio", float_value(0.5)}});
  ASSERT_EQ(own.box.prepare(20, 1), IFB_OK) << own.box.message();
  std::set<std::string> first;
  for (const message_list& each : own.rows(20)) {
    first.insert(split_words(each[0].text)[0]);
    for (const said& turn : user_messages(each))
      EXPECT_EQ(first_words(turn.text, 5), first_words(each[0].text, 5));
  }
  EXPECT_GT(first.size(), 10U);
}

TEST(separate_turns, take_their_ratios_from_the_mean_length) {
  const auto text = [](const settings& given) {
    settings all = given;
    all["multi-turn-prefix-global-ratio"] = float_value(0.25);
    number_tokenizer adds;
    adds.added = 2;
    conversation_bench b(all, adds);
    EXPECT_EQ(b.box.prepare(1, 1), IFB_OK) << b.box.message();
    return b.box.host.log().at(0);
  };
  // (42 - 2) / 4, whatever the range is
  EXPECT_THAT(text({{"input-len", "42"}, {"range-ratio", "0.5"}}),
              HasSubstr("begins with 10 tokens of all"));
  // 98 to 102 tokens less 2, about 98 in the mean
  EXPECT_THAT(text({{"input-len", "uniform(98, 102)"}}), HasSubstr("begins with 24 tokens of all"));
}

TEST(separate_turns, may_be_single_turns_shorter_than_their_prefixes_are_for_later_ones) {
  conversation_bench b({{"input-len", "10"},
                        {"per-turn-input-len", "2"},
                        {"multi-turn-num-turns", 1},
                        {"multi-turn-prefix-global-ratio", float_value(0.5)}});
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  EXPECT_EQ(b.row(0).size(), 2U);
}

TEST(separate_turns, that_leave_no_token_of_their_own_are_refused) {
  const auto ratios = [](double global, double own, settings more) {
    more["multi-turn-prefix-global-ratio"] = float_value(global);
    more["multi-turn-prefix-conversation-ratio"] = float_value(own);
    more.emplace("input-len", "10");
    return more;
  };
  const char* const global = "multi-turn-prefix-global-ratio";
  const char* const own = "multi-turn-prefix-conversation-ratio";
  const std::vector<unfit_options> cases = {
      {ratios(0.6, 0.5, {}), own, "above 1 together"},
      {ratios(1, 0, {}), global,
       "a first message of 10 tokens has no token of its own after the 10 tokens that all "
       "conversations have in common and the 0 of its conversation; lower the ratios"},
      {ratios(0.5, 0.5, {}), own,
       "after the 5 tokens that all conversations have in common and "
       "the 5 of its conversation"},
      {ratios(0.5, 0, {{"range-ratio", "0.5"}}), global, "a first message of 5 tokens has no"},
      {ratios(0.3, 0.2, {{"per-turn-input-len", "5"}}), "per-turn-input-len",
       "a message of 5 tokens after the first has no token of its own after the 3 tokens that all "
       "conversations have in common and the 2 of its conversation; ask for at least 6 tokens"}};
  for (const unfit_options& each : cases)
    expect_unfit(each, true);
  conversation_bench fits(ratios(0.3, 0.2, {{"per-turn-input-len", "6"}}));
  EXPECT_EQ(fits.box.prepare(1), IFB_OK) << fits.box.message();
}

}  // namespace
