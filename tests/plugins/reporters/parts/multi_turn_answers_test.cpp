// Tests the answers in conversations, of the reporter `multi-turn`.
#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/guard.hpp>
#include <inferbench/json_reader.hpp>
#include <inferbench/text.hpp>

#include "reporters/multi-turn/conversation_answers.hpp"

namespace {

using multi_turn::conversation_answers;
using testing::ElementsAre;
using testing::HasSubstr;

void add(conversation_answers& to, std::string_view id, std::uint32_t turn, std::string_view text,
         std::string_view first = {}) {
  const std::array<ifb_field, 2> fields{
      {{ifb::str("conversation_id"), ifb::str(id)}, {ifb::str("warm_up_answer"), ifb::str(first)}}};
  ifb_record r{};
  r.struct_size = sizeof r;
  r.turn = turn;
  r.text = ifb::str(text);
  r.attributes = fields.data();
  r.attribute_count = first.empty() ? 1 : 2;
  to.add(r);
}

constexpr const char* chats =
    R"([{"id": "a", "messages": [{"role": "user", "content": "q1"},
         {"role": "assistant", "content": "r1"}, {"role": "user", "content": "q2"}]},
        {"id": "b", "messages": [{"role": "user", "content": "q"}]}])";

TEST(conversation_answers, take_the_places_of_the_recorded_ones) {
  conversation_answers answers;
  add(answers, "a", 0, "one");
  add(answers, "a", 1, "two\xFF");
  const auto found = answers.merge_into(chats, "f.json");
  EXPECT_EQ(found.conversations, 1U) << "no request of b has an answer";
  EXPECT_EQ(
      found.text,
      "[\n    {\n        \"id\": \"a\",\n        \"messages\": [\n"
      "            {\n                \"role\": \"user\",\n                \"content\": \"q1\"\n"
      "            },\n"
      "            {\n                \"role\": \"assistant\",\n"
      "                \"content\": \"one\"\n            },\n"
      "            {\n                \"role\": \"user\",\n                \"content\": \"q2\"\n"
      "            },\n"
      "            {\n                \"role\": \"assistant\",\n"
      "                \"content\": \"two\\ufffd\"\n            }\n"
      "        ]\n    }\n]");
  EXPECT_EQ(found.compared, 1U) << "the last message has no recorded answer";
  EXPECT_THAT(found.differences, ElementsAre("conversation a, turn 1: \"one\" in place of \"r1\""));
}

TEST(conversation_answers, equal_answers_are_no_differences) {
  conversation_answers answers;
  add(answers, "a", 0, "r1");
  const auto found = answers.merge_into(chats, "f.json");
  EXPECT_EQ(found.compared, 1U);
  EXPECT_TRUE(found.differences.empty());
}

TEST(conversation_answers, the_answer_of_a_warm_up_is_the_first) {
  conversation_answers answers;
  add(answers, "a", 1, "two", "warm");
  EXPECT_THAT(answers.merge_into(chats, "f.json").text, HasSubstr("\"content\": \"warm\""));
}

TEST(conversation_answers, a_file_of_another_form_is_refused) {
  conversation_answers answers;
  add(answers, "a", 0, "one");
  for (const char* text : {"", "[", "{}", "7"})
    EXPECT_THROW(std::ignore = answers.merge_into(text, "f.json"), ifb::failure) << text;
  for (const char* text : {"[]", "[1]", R"([{"id": "a"}])", R"([{"id": "a", "messages": 3}])"})
    EXPECT_EQ(answers.merge_into(text, "f.json").text, "[]") << text;
}

}  // namespace
