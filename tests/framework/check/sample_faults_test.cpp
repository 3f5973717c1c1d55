#include "check/sample_faults.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/text.hpp>

#include "check/sample.hpp"

namespace inferbench::check {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* usual = R"({"shape": "text", "prompt": ["hi"], "metadata": {"a": "b"},
    "overrides": "{\"seed\": 7}", "output_tokens": 3})";

std::vector<std::string> texts_of(const ifb_sample& sample, std::uint32_t flags = 0) {
  std::vector<std::string> out;
  for (const finding& fault : faults_of(sample, flags))
    out.push_back(fault.what);
  return out;
}

TEST(sample_faults, are_none_in_the_samples_of_the_kit) {
  for (const named_sample& shape : all_shapes()) {
    lent_memory memory;
    EXPECT_THAT(texts_of(*lend_sample(memory, shape.json)), IsEmpty()) << shape.name;
  }
}

TEST(sample_faults, are_texts_that_are_not_utf8) {
  lent_memory memory;
  ifb_sample& sample = *lend_sample(memory, usual);
  sample.model = ifb::str("m\xFF");
  EXPECT_THAT(texts_of(sample), ElementsAre("model is not UTF-8: byte 1 is wrong"));
  ifb_sample& chat = *lend_sample(memory, R"({"shape": "chat", "messages": [
    {"role": "user", "parts": ["hi"]}]})");
  const_cast<ifb_message*>(chat.messages.first)->role = ifb::str("\xC3");
  EXPECT_THAT(texts_of(chat), ElementsAre("a role of the messages is not UTF-8: byte 0 is wrong"));
}

TEST(sample_faults, are_bytes_of_a_file_in_no_case) {
  lent_memory memory;
  EXPECT_THAT(texts_of(*lend_sample(memory, R"({"shape": "parts", "prompt": ["a",
    {"kind": "image", "mime": "image/png", "hex": "ff00"}]})")),
              IsEmpty());
}

TEST(sample_faults, are_sizes_that_are_not_set) {
  lent_memory memory;
  ifb_sample& sample = *lend_sample(memory, usual);
  const_cast<ifb_part*>(sample.prompt.first)->struct_size = 0;
  EXPECT_THAT(texts_of(sample), ElementsAre("an ifb_part of the prompt has struct_size 0"));
  sample.prompt.stride = 0;
  EXPECT_THAT(texts_of(sample), ElementsAre("the list of the prompt has stride 0"));
  ifb_sample& two = *lend_sample(memory, R"({"shape": "parts", "prompt": ["a", "b"]})");
  ASSERT_EQ(two.prompt.count, 2U);
  const_cast<ifb_part*>(two.prompt.first)[1].struct_size = 0;
  EXPECT_THAT(texts_of(two), ElementsAre("an ifb_part of the prompt has struct_size 0"));
  ifb_sample& chat = *lend_sample(memory, R"({"shape": "chat", "messages": [
    {"role": "user", "parts": ["hi"]}]})");
  const_cast<ifb_message*>(chat.messages.first)->struct_size = 0;
  EXPECT_THAT(texts_of(chat), ElementsAre("an ifb_message of the messages has struct_size 0"));
  chat.messages.stride = 0;
  EXPECT_THAT(texts_of(chat), ElementsAre("the list of the messages has stride 0"));
  ifb_sample& bare = *lend_sample(memory, usual);
  bare.struct_size = 0;
  EXPECT_THAT(texts_of(bare), ElementsAre("the sample has struct_size 0"));
}

TEST(sample_faults, are_numbers_below_minus_one) {
  lent_memory memory;
  ifb_sample& sample = *lend_sample(memory, usual);
  sample.output_tokens = -2;
  sample.input_tokens = -5;
  EXPECT_THAT(texts_of(sample), ElementsAre("input_tokens is -5", "output_tokens is -2"));
}

TEST(sample_faults, are_overrides_that_are_not_a_json_object) {
  lent_memory memory;
  for (const char* overrides : {"{not json", "[1]", "7", "{} {}"}) {
    ifb_sample& sample = *lend_sample(memory, usual);
    sample.overrides = ifb::str(overrides);
    EXPECT_THAT(texts_of(sample), ElementsAre(HasSubstr("overrides are not a JSON object: ")))
        << overrides;
  }
}

TEST(sample_faults, are_messages_whose_json_is_not_a_json_object_with_a_role) {
  lent_memory memory;
  const auto faults_in = [&](const char* json) {
    ifb_sample& chat = *lend_sample(memory, R"({"shape": "chat", "messages": [
      {"role": "user", "parts": ["hi"]}]})");
    const_cast<ifb_message*>(chat.messages.first)->json = ifb::str(json);
    return texts_of(chat);
  };
  for (const char* json : {"{not json", "[1]", "7", "{} {}"})
    EXPECT_THAT(faults_in(json),
                ElementsAre(HasSubstr("the json of a message is not a JSON object: ")))
        << json;
  for (const char* json : {"{}", R"({"role": 7})", R"({"content": "role"})"})
    EXPECT_THAT(faults_in(json), ElementsAre(HasSubstr("the json of a message has no text")))
        << json;
  EXPECT_THAT(faults_in(R"({"role": "user"})"), IsEmpty());
  EXPECT_THAT(faults_in(R"({"type": "function_call_output", "output": "7"})"), IsEmpty());
}

TEST(sample_faults, are_json_parts_that_are_not_json) {
  lent_memory memory;
  EXPECT_THAT(texts_of(*lend_sample(memory, R"({"shape": "parts", "prompt": ["a",
    {"kind": "json", "data": "[1"}]})")),
              ElementsAre("a part of kind IFB_PART_JSON in the prompt is not JSON: [1"));
  EXPECT_THAT(texts_of(*lend_sample(memory, R"({"shape": "chat", "messages": [
    {"role": "user", "parts": [{"kind": "json", "data": "{"}]}]})")),
              ElementsAre("a part of kind IFB_PART_JSON in the messages is not JSON: {"));
  EXPECT_THAT(texts_of(*lend_sample(memory, R"({"shape": "parts", "prompt": [
    {"kind": "json", "data": "[1]"}]})")),
              IsEmpty());
}

TEST(sample_faults, are_reserved_members_that_are_set) {
  lent_memory memory;
  ifb_sample& sample = *lend_sample(memory, usual);
  sample.reserved = 9;
  EXPECT_THAT(texts_of(sample), ElementsAre("`reserved` in an ifb_sample is 9 instead of 0"));
  ifb_sample& chat = *lend_sample(memory, R"({"shape": "chat", "messages": [
    {"role": "user", "parts": ["hi"]}]})");
  const_cast<ifb_message*>(chat.messages.first)->reserved = 8;
  EXPECT_THAT(texts_of(chat), ElementsAre("`reserved` in an ifb_message is 8 instead of 0"));
}

TEST(sample_faults, are_promises_of_flags_that_a_sample_does_not_keep) {
  lent_memory memory;
  const ifb_sample& sample = *lend_sample(memory, usual);
  EXPECT_THAT(texts_of(sample, IFB_DATASET_ARRIVALS | IFB_DATASET_SESSIONS),
              ElementsAre(HasSubstr("has no arrival_ns"), HasSubstr("is not a chat")));
}

TEST(sample_faults, hide_all_others_if_the_shape_is_wrong) {
  lent_memory memory;
  ifb_sample& sample = *lend_sample(memory, usual);
  sample.shape = 0;
  sample.output_tokens = -2;
  EXPECT_THAT(texts_of(sample), ElementsAre(HasSubstr("the sample does not fit its shape")));
}

}  // namespace
}  // namespace inferbench::check
