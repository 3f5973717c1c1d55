#include "dataset/conversation.hpp"

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

}  // namespace
}  // namespace inferbench::dataset
