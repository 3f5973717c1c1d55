// Tests the configuration of a model, which can be in several files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/tokenizers/model_folder.hpp"

namespace tokenizers::model_files {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

using model_config_files = model_folder;

TEST_F(model_config_files, is_empty_without_files) {
  const auto c = config();
  EXPECT_EQ(c.tokenizer_class, "");
  EXPECT_TRUE(c.special.empty() && c.added.empty() && c.templates.empty());
  EXPECT_EQ(c.add_bos_token, std::nullopt);
}

TEST_F(model_config_files, takes_special_tokens_as_strings_and_as_objects) {
  put("tokenizer_config.json", R"({
    "tokenizer_class": "LlamaTokenizerFast", "add_bos_token": true, "add_eos_token": false,
    "bos_token": "<s>", "unk_token": null, "pad_token": "",
    "eos_token": {"__type": "AddedToken", "content": "</s>", "lstrip": true, "normalized": true},
    "image_token": "<image>", "add_prefix_space": null, "model_max_length": 1e30,
    "extra_special_tokens": {"audio_token": "<audio>"}})");
  const auto c = config();
  EXPECT_EQ(c.tokenizer_class, "LlamaTokenizer");
  EXPECT_EQ(c.add_bos_token, true);
  EXPECT_EQ(c.add_eos_token, false);
  EXPECT_EQ(c.add_prefix_space, std::nullopt);
  EXPECT_EQ(c.token("bos_token"), "<s>");
  EXPECT_EQ(c.token("eos_token"), "</s>");
  EXPECT_EQ(c.token("image_token"), "<image>");
  EXPECT_EQ(c.token("audio_token"), "<audio>");
  EXPECT_EQ(c.token("unk_token"), "");
  EXPECT_EQ(c.token("pad_token"), "");
  EXPECT_THAT(to_add(), ElementsAre("<s>!", "</s>!~<", "<image>!", "<audio>!"));
}

TEST_F(model_config_files, adds_tokens_in_the_order_of_their_numbers_and_then_the_named_ones) {
  put("tokenizer_config.json", R"({
    "bos_token": "<s>", "eos_token": "</s>", "additional_special_tokens": ["<b>", "<s>", "<c>"],
    "added_tokens_decoder": {
      "10": {"content": "<b>", "rstrip": true, "single_word": true},
      "9": {"content": "<s>", "lstrip": true, "normalized": false, "special": true},
      "100": {"content": "plain"}}})");
  EXPECT_THAT(to_add(), ElementsAre("<s>!<", "<b>!~>_", "plain~", "</s>!", "<c>!"));
}

TEST_F(model_config_files, reads_the_older_files_only_where_the_newer_list_is_missing) {
  put("special_tokens_map.json", R"({"bos_token": {"content": "<map>"},
      "additional_special_tokens": ["<more>"], "eos_token": "</map>"})");
  put("added_tokens.json", R"({"second": 8, "<more>": 7})");
  put("tokenizer_config.json", R"({"bos_token": "<s>"})");
  EXPECT_EQ(config().token("bos_token"), "<map>");
  EXPECT_THAT(to_add(), ElementsAre("<more>!", "second~", "<map>!~", "</map>!"));
  put("tokenizer_config.json",
      R"({"bos_token": "<s>", "added_tokens_decoder": {"0": {"content": "<s>"}}})");
  EXPECT_THAT(to_add(), ElementsAre("<s>!~"));
}

TEST_F(model_config_files, reports_the_position_of_an_error) {
  const auto refused = [&](const char* text) {
    put("tokenizer_config.json", text);
    return refusal();
  };
  EXPECT_EQ(refused("[1]"), "tokenizer_config.json: expected an object");
  EXPECT_THAT(refused("{\n  \"a\": }"), StartsWith("tokenizer_config.json:2:"));
  EXPECT_EQ(refused(R"({"bos_token": 5})"),
            "tokenizer_config.json: bos_token: expected an object, not a number");
  EXPECT_EQ(refused(R"({"bos_token": {"lstrip": true}})"),
            "tokenizer_config.json: bos_token: \"content\" is missing");
  EXPECT_THAT(refused(R"({"added_tokens_decoder": {"x": {"content": "a"}}})"),
              AllOf(HasSubstr("added_tokens_decoder.x"), HasSubstr("not the id")));
  EXPECT_THAT(refused(R"({"added_tokens_decoder": {"-1": {"content": "a"}}})"),
              HasSubstr("not the id"));
  EXPECT_THAT(refused(R"({"added_tokens_decoder": {"4": {"content": 7}}})"),
              HasSubstr("added_tokens_decoder.4: content: expected a string"));
  EXPECT_THAT(refused(R"({"added_tokens_decoder": [1]})"), HasSubstr("expected an object"));
  EXPECT_THAT(refused(R"({"add_bos_token": "yes"})"), HasSubstr("add_bos_token"));
  EXPECT_THAT(refused(R"({"chat_template": 4})"), HasSubstr("chat_template: expected a list"));
  EXPECT_THAT(refused(R"({"chat_template": [{"name": "a"}]})"),
              HasSubstr("chat_template[0]: \"template\" is missing"));
  EXPECT_THAT(refused(R"({"additional_special_tokens": "a"})"), HasSubstr("expected a list"));
  EXPECT_THAT(refused(std::string(100'000, '[').c_str()), HasSubstr("levels deep"));
}

TEST_F(model_config_files, reads_thousands_of_added_tokens) {
  std::string text = R"({"added_tokens_decoder": {)";
  for (int i = 0; i < 20'000; ++i)
    text += (i == 0 ? "\"" : ", \"") + std::to_string(i) + R"(": {"content": "t)" +
            std::to_string(i) + "\"}";
  put("tokenizer_config.json", text + "}}");
  EXPECT_EQ(config().to_add().size(), 20'000U);
}

TEST_F(model_config_files, takes_chat_templates_from_the_file_that_has_precedence) {
  const auto names = [&] {
    std::string out;
    const auto c = config();
    for (const auto& each : c.templates)
      out += each.name + "=" + each.text + "@" + each.file + " ";
    return out + (c.templates_have_names ? "named" : "single");
  };
  EXPECT_EQ(names(), "single");
  put("chat_template.json", R"({"chat_template": "of the processor"})");
  EXPECT_EQ(names(), "default=of the processor@chat_template.json: chat_template single");
  put("tokenizer_config.json", R"({"chat_template": "of the config"})");
  EXPECT_EQ(names(), "default=of the config@tokenizer_config.json: chat_template single");
  put("tokenizer_config.json", R"({"chat_template": [{"name": "default", "template": "a"},
      {"name": "tool_use", "template": "b"}, {"name": "default", "template": "c"}]})");
  EXPECT_EQ(names(),
            "default=c@tokenizer_config.json: chat_template[2] "
            "tool_use=b@tokenizer_config.json: chat_template[1] named");
  put("chat_template.jinja", "of the file");
  EXPECT_EQ(names(), "default=of the file@chat_template.jinja single");
  put("additional_chat_templates/rag.jinja", "of the folder");
  put("additional_chat_templates/readme.txt", "no template");
  EXPECT_EQ(names(),
            "default=of the file@chat_template.jinja "
            "rag=of the folder@additional_chat_templates/rag.jinja named");
}

}  // namespace
}  // namespace tokenizers::model_files
