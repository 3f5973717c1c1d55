#include "dataset/conversation.hpp"

#include <cstdint>

#include <gtest/gtest.h>

#include "framework/dataset/fake_dataset.hpp"

namespace inferbench::dataset {
namespace {

/// The first row of a dataset with one conversation.
struct row {
  explicit row(std::string text) : data({{IFB_OK, std::move(text)}}, IFB_DATASET_SESSIONS) {
    const auto operations = plugin::dataset_of(*instance);
    ifb_error error = plugin::empty_error();
    of.clear();
    EXPECT_EQ(operations.read(instance->get(), 0, &of.arena, &of.c, &error), IFB_OK);
  }
  fake::dataset data;
  std::unique_ptr<plugin::instance> instance = data.create();
  sample of;
};

TEST(conversation, there_is_a_request_for_each_message_of_the_user_that_is_answered) {
  const row given("user 3 a|assistant 4 b|user 5 c|assistant 6 d");
  const auto turns = turns_of(given.of.c);
  ASSERT_EQ(turns.size(), 2U);
  EXPECT_EQ(turns[0].messages, 1U);
  EXPECT_EQ(turns[0].tokens, 3);
  EXPECT_EQ(turns[0].answer_tokens, 4);
  EXPECT_TRUE(turns[0].answered);
  EXPECT_EQ(turns[1].messages, 3U);
  EXPECT_EQ(turns[1].tokens, 5);
  EXPECT_EQ(turns[1].answer_tokens, 6);
}

TEST(conversation, earlier_messages_are_sent_with_a_message_of_the_user) {
  row given("system 10 s|assistant 1 hello|user 2 a|user 3 b|assistant 4 c|tool 5 t|user 6 d");
  given.of.c.output_tokens = 77;
  const auto turns = turns_of(given.of.c);
  ASSERT_EQ(turns.size(), 2U);
  EXPECT_EQ(turns[0].messages, 4U);
  EXPECT_EQ(turns[0].tokens, 16);
  EXPECT_EQ(turns[1].messages, 7U);
  EXPECT_EQ(turns[1].tokens, 11);
  EXPECT_EQ(turns[1].answer_tokens, 77) << "of an answer that was not recorded";
  EXPECT_FALSE(turns[1].answered);
}

TEST(conversation, a_message_of_unknown_length_makes_its_request_so) {
  const row given("user -1 a|user 2 b|assistant -1 c|user 2 d");
  const auto turns = turns_of(given.of.c);
  ASSERT_EQ(turns.size(), 2U);
  EXPECT_EQ(turns[0].tokens, -1);
  EXPECT_EQ(turns[0].answer_tokens, -1);
  EXPECT_EQ(turns[1].tokens, 2);
}

TEST(conversation, messages_of_an_older_contract_have_no_length) {
  row given("user 3 a|assistant 4 b");
  for (std::uint32_t i = 0; i < 2; ++i)
    const_cast<ifb_message*>(given.of.c.messages.first)[i].struct_size =
        offsetof(ifb_message, tokens);
  const auto turns = turns_of(given.of.c);
  ASSERT_EQ(turns.size(), 1U);
  EXPECT_EQ(turns[0].tokens, -1);
  EXPECT_EQ(turns[0].answer_tokens, -1);
}

TEST(conversation, without_a_message_of_the_user_there_is_no_request) {
  EXPECT_TRUE(turns_of(row("system 3 a|assistant 4 b").of.c).empty());
}

TEST(conversation, is_represented_by_its_first_request_before_the_run) {
  row given("system 1 s|user 3 a|assistant 4 b|user 5 c");
  keep_first_turn(given.of);
  EXPECT_EQ(fake::talk_of(given.of.c), "system:s|user:a");
  EXPECT_EQ(given.of.c.input_tokens, 4);
  EXPECT_EQ(given.of.c.output_tokens, 4);
}

/// A row whose turns are sent without the messages before them.
void forget_history(row& of) {
  static const ifb_field none[] = {ifb::field(history_field, no_history)};
  of.of.c.metadata = none;
  of.of.c.metadata_count = 1;
}

TEST(conversation, without_history_a_request_begins_after_the_answer_before_it) {
  row given("system 1 s|user 3 a|assistant 4 b|user 5 c|assistant 6 d");
  EXPECT_TRUE(has_history(given.of.c));
  forget_history(given);
  EXPECT_FALSE(has_history(given.of.c));
  const auto turns = turns_of(given.of.c);
  ASSERT_EQ(turns.size(), 2U);
  EXPECT_EQ(turns[0].first, 0U);
  EXPECT_EQ(turns[1].first, 3U);
  EXPECT_EQ(turns[1].messages, 4U);
  EXPECT_EQ(turns[1].tokens, 5);
}

// 3 + 4 = 7 tokens, 3 + 4 + 5 + 6 = 18, 18 + 2 + 1 = 21.
constexpr const char* three_turns =
    "user 3 a|assistant 4 b|user 5 c|assistant 6 d|user 2 e|assistant 1 f";

TEST(conversation, turns_that_are_too_long_with_their_history_are_left_out) {
  row all(three_turns);
  EXPECT_EQ(cut_to(all.of, 21), 0U);
  EXPECT_EQ(turns_of(all.of.c).size(), 3U);
  row two(three_turns);
  EXPECT_EQ(cut_to(two.of, 20), 1U);
  EXPECT_EQ(fake::talk_of(two.of.c), "user:a|assistant:b|user:c|assistant:d");
  row one(three_turns);
  EXPECT_FALSE(cut_to(one.of, 17)) << "a single turn is no conversation";
}

// 9223372036854775807 is the largest length that a plugin can give.
TEST(conversation, lengths_whose_sum_is_too_large_for_the_type_are_too_long) {
  row questions("user 9223372036854775807 a|user 5 b|assistant 1 c|user 2 d|assistant 1 e");
  EXPECT_EQ(turns_of(questions.of.c)[0].tokens, INT64_MAX);
  EXPECT_FALSE(cut_to(questions.of, 20));
  row answer("user 3 a|assistant 9223372036854775807 b|user 5 c|assistant 6 d");
  EXPECT_FALSE(cut_to(answer.of, 20));
  row history(
      "user 3 a|assistant 4 b|user 5 c|assistant 6 d|user 9223372036854775807 e|assistant 1 f");
  EXPECT_EQ(cut_to(history.of, 20), 1U);
  EXPECT_EQ(cut_to(answer.of, INT64_MAX), 0U) << "there is no longer length";
}

TEST(conversation, turns_without_history_are_left_out_by_their_own_length) {
  row given(three_turns);
  forget_history(given);
  EXPECT_EQ(cut_to(given.of, 10), 1U);
  EXPECT_EQ(fake::talk_of(given.of.c), "user:a|assistant:b|user:e|assistant:f");
  EXPECT_FALSE(cut_to(given.of, 6));
}

TEST(conversation, a_single_turn_that_fits_and_turns_of_unknown_length_stay) {
  row one("user 3 a|assistant 4 b");
  EXPECT_EQ(cut_to(one.of, 7), 0U);
  EXPECT_FALSE(cut_to(one.of, 6));
  row unknown("user 3 a|assistant -1 b|user 500 c|assistant 6 d");
  EXPECT_EQ(cut_to(unknown.of, 100), 0U);
  EXPECT_EQ(turns_of(unknown.of.c).size(), 2U);
}

}  // namespace
}  // namespace inferbench::dataset
