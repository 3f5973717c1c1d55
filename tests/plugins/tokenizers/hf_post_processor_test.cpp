#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "plugins/tokenizers/hf_small.hpp"

namespace {

using hf_test::small_file;
using ids = std::vector<std::uint32_t>;
using mask = std::vector<std::uint8_t>;

constexpr const char* bert = R"({"type":"BertProcessing","sep":["b",2],"cls":["a",1]})";
constexpr const char* roberta =
    R"({"type":"RobertaProcessing","sep":["b",2],"cls":["a",1],"trim_offsets":true,"add_prefix_space":true})";

small_file with(std::string post_processor) {
  small_file file;
  file.post_processor = std::move(post_processor);
  return file;
}

TEST(post_processor, of_bert_gives_the_second_text_type_1) {
  const auto made = with(bert).load().encode_pair("c", "ab c", true);
  EXPECT_EQ(made.ids, (ids{1, 3, 2, 4, 3, 2}));
  EXPECT_EQ(made.type_ids, (ids{0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(made.special_tokens_mask, (mask{1, 0, 1, 0, 0, 1}));
}

TEST(post_processor, of_roberta_gives_all_type_0_and_two_separators_between) {
  const auto it = with(roberta).load();
  const auto made = it.encode_pair("c", "ab", true);
  EXPECT_EQ(made.ids, (ids{1, 3, 2, 2, 4, 2}));
  EXPECT_EQ(made.type_ids, (ids{0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(it.encode_pair("c", "ab", false).type_ids, (ids{0, 0}));
}

TEST(post_processor, is_not_needed_for_a_pair) {
  const auto made = with("null").load().encode_pair("c", "ab", true);
  EXPECT_EQ(made.ids, (ids{3, 4}));
  EXPECT_EQ(made.type_ids, (ids{0, 1}));
}

TEST(post_processor, in_a_sequence_treats_earlier_output_as_text) {
  const auto it =
      with(std::string(R"({"type":"Sequence","processors":[)") + bert + "," + bert + "]}").load();
  const auto made = it.encode_pair("c", "ab", true);
  EXPECT_EQ(made.ids, (ids{1, 1, 3, 2, 2, 4, 2, 2}));
  EXPECT_EQ(made.special_tokens_mask, (mask{1, 0, 0, 0, 1, 0, 0, 1}));
}

TEST(post_processor, of_a_template_may_use_a_text_twice_and_have_tokens_of_several_ids) {
  const auto it = with(R"({"type":"TemplateProcessing",
      "single":[{"SpecialToken":{"id":"Q","type_id":3}},{"Sequence":{"id":"A","type_id":1}},
                {"Sequence":{"id":"A","type_id":2}}],
      "pair":[{"Sequence":{"id":"B","type_id":1}},{"Sequence":{"id":"A","type_id":0}}],
      "special_tokens":{"Q":{"id":"Q","ids":[1,2],"tokens":["a","b"]}}})")
                      .load();
  EXPECT_EQ(it.encode("c", true), (ids{1, 2, 3, 3}));
  EXPECT_EQ(it.encode("c", false), (ids{3, 3}));
  EXPECT_EQ(it.ids_of_empty_text(), (ids{1, 2}));
  const auto made = it.encode_pair("c", "ab", true);
  EXPECT_EQ(made.ids, (ids{4, 3}));
  EXPECT_EQ(made.type_ids, (ids{1, 0}));
}

TEST(post_processor, is_refused_where_a_token_is_not_declared) {
  EXPECT_EQ(with(R"({"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"Q","type_id":0}}],
                     "pair":[],"special_tokens":{}})")
                .refusal(),
            "tokenizer.json: post_processor.single[0].SpecialToken.id: \"Q\" is not among the "
            "special_tokens");
}

TEST(post_processor, is_refused_where_one_text_is_asked_for_a_second) {
  EXPECT_EQ(with(R"({"type":"TemplateProcessing","single":[{"Sequence":{"id":"B","type_id":0}}],
                     "pair":[],"special_tokens":{}})")
                .refusal(),
            "tokenizer.json: post_processor.single[0].Sequence.id: there is no second text here");
}

TEST(post_processor, gives_way_to_the_ends_of_the_config) {
  tokenizers::hf::additions on_top;
  on_top.instead_of_post_processor = tokenizers::hf::additions::ends{"a", "b"};
  const auto it = with(bert).load(on_top);
  EXPECT_EQ(it.encode("c", true), (ids{1, 3, 2}));
  const auto made = it.encode_pair("c", "c", true);
  EXPECT_EQ(made.ids, (ids{1, 3, 2, 1, 3, 2}));
  EXPECT_EQ(made.type_ids, (ids{0, 0, 0, 1, 1, 1}));
  on_top.instead_of_post_processor = tokenizers::hf::additions::ends{"", ""};
  EXPECT_EQ(with(bert).load(on_top).encode("c", true), (ids{3}));
}

TEST(post_processor, cannot_be_replaced_by_a_token_that_is_not_there) {
  tokenizers::hf::additions on_top;
  on_top.instead_of_post_processor = tokenizers::hf::additions::ends{"<nowhere>", ""};
  EXPECT_EQ(with(bert).refusal(on_top), "the bos_token \"<nowhere>\" is not in tokenizer.json");
}

}  // namespace
